using System;
using System.Collections.Generic;

namespace Wayfare.Tests
{
    /// <summary>Runs all tests, on mono and on .NET alike: a test is a method without arguments that throws.</summary>
    internal static class Program
    {
        private static int Main(string[] arguments)
        {
            string cases = arguments.Length > 0 ? arguments[0] : "../cases";
            string only = arguments.Length > 1 ? arguments[1] : "";
            var tests = new List<Test>();
            tests.AddRange(Cases.All(cases));
            tests.AddRange(EveryPart.All);
            tests.AddRange(Changing.All);
            tests.AddRange(Misuse.All);
            int passed = 0, failed = 0;
            foreach (Test test in tests)
            {
                if (!test.Name.Contains(only)) continue;
                try
                {
                    test.Run();
                    passed++;
                }
                catch (Exception exception)
                {
                    failed++;
                    Console.Error.WriteLine(test.Name + " failed: " + exception);
                }
            }
            try
            {
                Require.That(Live() == 0, Library.LiveHandles + " native objects were not freed");
                passed++;
            }
            catch (Exception exception)
            {
                failed++;
                Console.Error.WriteLine(exception.Message);
            }
            Console.WriteLine(passed + " passed, " + failed + " failed");
            return failed == 0 && passed > 0 ? 0 : 1;
        }

        /// <summary>What lives when the collector has freed what nobody holds.</summary>
        internal static long Live()
        {
            for (int i = 0; i < 20 && Library.LiveHandles > 0; i++)
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
                System.Threading.Thread.Sleep(10);
            }
            return Library.LiveHandles;
        }
    }

    internal sealed class Test
    {
        internal Test(string name, Action run)
        {
            Name = name;
            Run = run;
        }

        internal string Name { get; }

        internal Action Run { get; }
    }

    /// <summary>What tests hold to.</summary>
    internal static class Require
    {
        internal static void That(bool holds, string what)
        {
            if (!holds) throw new Exception("does not hold: " + what);
        }

        internal static void Equal<T>(T have, T want, string what)
        {
            That(EqualityComparer<T>.Default.Equals(have, want), what + " is " + have + ", not " + want);
        }

        /// <summary>Holds to the exception that a call throws, and gives it.</summary>
        internal static T Throws<T>(Action call, string what) where T : Exception
        {
            try
            {
                call();
            }
            catch (T exception)
            {
                That(exception.Message.Length > 8, what + ": has a sentence, not '" + exception.Message + "'");
                return exception;
            }
            throw new Exception(what + " did not throw " + typeof(T).Name);
        }

        internal static void Status(Status status, Action call, string what)
        {
            Equal(Throws<WayfareException>(call, what).Status, status, what);
        }
    }
}

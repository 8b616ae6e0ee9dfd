using System;
using System.Runtime.InteropServices;

namespace Wayfare
{
    /// <summary>The native library itself.</summary>
    public static unsafe class Library
    {
#if (UNITY_IOS || UNITY_TVOS || UNITY_VISIONOS) && !UNITY_EDITOR
        // There the library is linked into the program.
        internal const string Name = "__Internal";
#else
        // Not "wayfare", which on Windows is the file of these classes.
        internal const string Name = "wayfare_native";
#endif

        /// <summary>Its version.</summary>
        public static Version Version
        {
            get
            {
                int number = (int)Native.wayfare_version();
                return new Version(number / 1000000, number / 1000 % 1000, number % 1000);
            }
        }

        /// <summary>How many native objects are alive, of all kinds: for tests that look for what was not disposed.</summary>
        public static long LiveHandles
        {
            get
            {
                UIntPtr count;
                Interop.Check(Native.wayfare_live_handles(&count));
                return (long)count;
            }
        }

        /// <summary>The name of a status, such as "dead handle".</summary>
        public static string NameOf(Status status) => Marshal.PtrToStringAnsi(Native.wayfare_status_name((uint)status));
    }
}

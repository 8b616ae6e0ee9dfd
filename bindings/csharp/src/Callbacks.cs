using System;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using System.Threading;

namespace Wayfare
{
    /// <summary>Tells compilers ahead of time (IL2CPP, which knows it by its name) that native code calls a method.</summary>
    [AttributeUsage(AttributeTargets.Method)]
    internal sealed class MonoPInvokeCallbackAttribute : Attribute
    {
        public MonoPInvokeCallbackAttribute(Type type)
        {
            Type = type;
        }

        public Type Type { get; }
    }

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    internal delegate int ProgressCallback(IntPtr user, ulong done, ulong total);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    internal delegate void LogCallback(IntPtr user, IntPtr message);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    internal delegate uint PassesCallback(IntPtr user, ulong poly, uint area, uint flags);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    internal unsafe delegate float CostCallback(IntPtr user, Crossing* crossing);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    internal delegate uint BlockCallback(IntPtr user, int x, int y, int z);

    /// <summary>
    /// What native code calls back to: it lives as long as any native object that may call it. An exception never crosses
    /// native frames: the first is kept here, and thrown again once the call is over.
    /// </summary>
    internal abstract class CallbackState
    {
        private GCHandle self;
        private int holders;
        private ExceptionDispatchInfo first;

        /// <summary>What native code hands back to the callbacks.</summary>
        internal IntPtr User => GCHandle.ToIntPtr(self);

        internal static T Of<T>(IntPtr user) where T : CallbackState => (T)GCHandle.FromIntPtr(user).Target;

        internal void Hold()
        {
            if (Interlocked.Increment(ref holders) == 1) self = GCHandle.Alloc(this);
        }

        internal void Release()
        {
            if (Interlocked.Decrement(ref holders) == 0) self.Free();
        }

        internal bool HasThrown => Volatile.Read(ref first) != null;

        internal void Keep(Exception exception)
        {
            Interlocked.CompareExchange(ref first, ExceptionDispatchInfo.Capture(exception), null);
        }

        /// <summary>What was thrown since, if anything was; it is forgotten here.</summary>
        internal ExceptionDispatchInfo TakeThrown() => Interlocked.Exchange(ref first, null);

        internal void Rethrow()
        {
            ExceptionDispatchInfo kept = TakeThrown();
            if (kept != null) kept.Throw();
        }
    }
}

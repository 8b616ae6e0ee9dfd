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

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    internal delegate void ReleaseCallback(IntPtr user);

    /// <summary>
    /// What native code calls back to: it lives as long as any native object that may call it. An exception never crosses
    /// native frames: the last is kept here, and thrown again by every call during which an answer was none for its sake.
    /// </summary>
    internal abstract class CallbackState
    {
        /// <summary>
        /// Counts the answers of all callbacks that were none, because one threw: a call notes the count before it begins, and
        /// knows then which of them were given while it ran.
        /// </summary>
        private static long moments;

        private GCHandle self;
        private int holders;
        private ExceptionDispatchInfo last;
        private bool refuses;
        private long at;

        internal static long Moment => Interlocked.Read(ref moments);

        /// <summary>What native code hands back to the callbacks.</summary>
        internal IntPtr User => GCHandle.ToIntPtr(self);

        /// <summary>Whether native code has said that nothing calls it any more.</summary>
        internal bool IsReleased { get; private set; }

        internal static T Of<T>(IntPtr user) where T : CallbackState => (T)GCHandle.FromIntPtr(user).Target;

        internal void Hold()
        {
            if (Interlocked.Increment(ref holders) == 1) self = GCHandle.Alloc(this);
        }

        internal void Release()
        {
            if (Interlocked.Decrement(ref holders) == 0) self.Free();
        }

        /// <summary>What native code itself held is let go of.</summary>
        internal void ReleaseNative()
        {
            IsReleased = true;
            Release();
        }

        /// <summary>Whether nothing is asked any more, since a call that is running will throw. So will whoever hears this.</summary>
        internal bool Refuses()
        {
            if (!Volatile.Read(ref refuses)) return false;
            lock (this)
            {
                if (refuses) at = Interlocked.Increment(ref moments);
                return refuses;
            }
        }

        internal void Keep(Exception exception)
        {
            lock (this)
            {
                last = ExceptionDispatchInfo.Capture(exception);
                Volatile.Write(ref refuses, true);
                at = Interlocked.Increment(ref moments);
            }
        }

        /// <summary>What was thrown since a moment, which is then over: the next call asks again.</summary>
        internal ExceptionDispatchInfo Since(long moment)
        {
            lock (this)
            {
                if (at <= moment) return null;
                Volatile.Write(ref refuses, false);
                return last;
            }
        }
    }

    /// <summary>A call that is about to run: it throws what callbacks of an object throw from here on.</summary>
    internal readonly struct Call
    {
        private readonly NativeObject of;
        private readonly long before;

        internal Call(NativeObject of)
        {
            this.of = of;
            before = CallbackState.Moment;
        }

        /// <summary>A call on an object that may be null, which the call itself then refuses.</summary>
        internal static Call On(NativeObject of) => new Call(of);

        /// <summary>Whether native code may call back from the object.</summary>
        internal bool CallsBack => of != null && of.CallsBack;

        /// <summary>Throws again what a callback threw during the call.</summary>
        internal void Rethrow() => of?.ThrownSince(before)?.Throw();

        /// <summary>What a callback threw, else what the call itself says.</summary>
        internal void Check(Status status)
        {
            Rethrow();
            Interop.Check(status);
        }

        /// <summary>The same; where either throws, what the call has done is undone first.</summary>
        internal void Check(Status status, Action undo)
        {
            try
            {
                Check(status);
            }
            catch
            {
                undo();
                throw;
            }
        }

        /// <summary>The object that a call made, if neither a callback threw nor the call failed; else it is freed again.</summary>
        internal T Made<T>(Status status, ulong id, Func<ulong, T> own) where T : NativeObject
        {
            T made = id == 0 ? null : own(id);
            Check(status, () => made?.Dispose());
            return made;
        }
    }
}

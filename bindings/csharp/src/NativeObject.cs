using System;
using System.Collections.Generic;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;

namespace Wayfare
{
    /// <summary>
    /// An object of the native library. Dispose it when it is no longer needed; one that is forgotten is freed by the
    /// garbage collector. Any thread may use it: calls that read run beside each other, a call that changes the object needs
    /// it alone and throws a <see cref="WayfareException"/> with <see cref="Status.Busy"/> where it is not.
    /// </summary>
    public abstract class NativeObject : SafeHandle
    {
        private static readonly CallbackState[] None = new CallbackState[0];
        private CallbackState[] states = None;

        internal NativeObject() : base(IntPtr.Zero, true)
        {
            if (IntPtr.Size != 8) throw new PlatformNotSupportedException("Wayfare needs a 64-bit process");
        }

        internal void Own(ulong id) => SetHandle((IntPtr)unchecked((long)id));

        /// <summary>The handle, for structures that hold one: keep the object alive over the call.</summary>
        internal ulong Id
        {
            get
            {
                if (IsClosed) throw new ObjectDisposedException(GetType().Name);
                return unchecked((ulong)handle.ToInt64());
            }
        }

        /// <summary>Whether it holds no native object.</summary>
        public override bool IsInvalid => handle == IntPtr.Zero;

        /// <summary>Frees the native object.</summary>
        protected sealed override bool ReleaseHandle()
        {
            bool isFreed = Free(unchecked((ulong)handle.ToInt64())) == Status.Ok;
            DropStates();
            return isFreed;
        }

        internal abstract Status Free(ulong id);

        /// <summary>What the callbacks of others need stays alive as long as this object, which calls them.</summary>
        internal void KeepStatesOf(params NativeObject[] others)
        {
            foreach (NativeObject other in others)
            {
                if (other == null) continue;
                foreach (CallbackState state in other.states) KeepState(state);
            }
        }

        internal void KeepState(CallbackState state)
        {
            if (Array.IndexOf(states, state) >= 0) return;
            state.Hold();
            // What nothing calls any more goes: filters that are replaced every tick must not add up.
            CallbackState[] gone = Array.FindAll(states, other => other.IsReleased);
            var more = new List<CallbackState>(states);
            more.RemoveAll(other => Array.IndexOf(gone, other) >= 0);
            more.Add(state);
            states = more.ToArray();
            foreach (CallbackState other in gone) other.Release();
        }

        /// <summary>Whether native code may call back from it.</summary>
        internal bool CallsBack => states.Length > 0;

        /// <summary>
        /// Runs a call that puts one object in the place of another whose callbacks this calls. During the call either may
        /// be called; afterwards the one that this has then.
        /// </summary>
        internal void ReplaceStates(NativeObject other, Func<Status> call)
        {
            // One that is closed is refused here: mono would leave this one held where the call refuses it.
            if (other != null && other.IsClosed) throw new ObjectDisposedException(other.GetType().Name);
            CallbackState[] before = states;
            states = None;
            KeepStatesOf(other);
            CallbackState[] after = states;
            bool isDone = false;
            try
            {
                Interop.Check(call());
                isDone = true;
            }
            finally
            {
                states = isDone ? after : before;
                foreach (CallbackState state in isDone ? before : after) state.Release();
            }
        }

        /// <summary>Lets go of what the callbacks of others needed: nothing calls them any more.</summary>
        internal void DropStates()
        {
            foreach (CallbackState state in states) state.Release();
            states = None;
        }

        /// <summary>Begins a call that may call back: written before its arguments, since the moment counts.</summary>
        internal Call Call => new Call(this);

        /// <summary>What callbacks that it calls threw since a moment. Where several threw, it is one of that.</summary>
        internal ExceptionDispatchInfo ThrownSince(long moment)
        {
            ExceptionDispatchInfo first = null;
            foreach (CallbackState state in states)
            {
                ExceptionDispatchInfo thrown = state.Since(moment);
                first = first ?? thrown;
            }
            return first;
        }
    }
}

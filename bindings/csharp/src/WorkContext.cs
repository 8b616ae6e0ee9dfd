using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace Wayfare
{
    /// <summary>How far work is.</summary>
    public readonly struct WorkProgress
    {
        internal WorkProgress(ulong done, ulong total)
        {
            Done = done;
            Total = total;
        }

        /// <summary>Units that are done: tiles, or stages of tiles.</summary>
        public ulong Done { get; }

        /// <summary>Units in all.</summary>
        public ulong Total { get; }

        /// <summary>The part that is done, 0 to 1.</summary>
        public float Fraction => Total == 0 ? 1 : (float)Done / Total;

        /// <summary>Whether all is done.</summary>
        public bool IsFinished => Done >= Total;
    }

    /// <summary>
    /// Who hears of long work, who may cancel it, and what it may take. One context may be given to many calls, one after
    /// the other or at once. Where a call takes null for it, that means the defaults: one thread, no limits, and nobody hears.
    /// Calls on several threads never wait for each other's work.
    /// </summary>
    public sealed unsafe class WorkContext
    {
        private static readonly ProgressCallback ProgressDelegate = HearProgress;
        private static readonly LogCallback LogDelegate = HearLog;

        internal delegate Status Call(ContextData* context);

        /// <summary>
        /// Hears how far work is, on any thread that works. An exception that it throws ends the work, and comes out of the
        /// call that began it.
        /// </summary>
        public Action<WorkProgress> OnProgress { get; set; }

        /// <summary>Hears messages, on any thread that works.</summary>
        public Action<string> OnLog { get; set; }

        /// <summary>Cancels the work, which then throws an <see cref="OperationCanceledException"/>.</summary>
        public CancellationToken Cancellation { get; set; }

        /// <summary>The most threads: 1, the default, for a single one; 0 for as many as there are cores.</summary>
        public int Threads { get; set; } = 1;

        /// <summary>The most bytes that a bake may take; 0, the default, for no limit.</summary>
        public ulong MemoryLimit { get; set; }

        /// <summary>Whether the times of stages are measured, for reports and profiles.</summary>
        public bool MeasureTimes { get; set; }

        /// <summary>Runs a call with a context, or with none.</summary>
        internal static void Run(WorkContext context, Call call)
        {
            if (context == null) Interop.Check(call(null));
            else context.Run(call);
        }

        internal delegate Status MakeCall(ContextData* context, ulong* made);

        /// <summary>
        /// Runs a call that makes an object. Where a listener throws once all the work is done, the object is freed again.
        /// </summary>
        internal static T Make<T>(WorkContext context, MakeCall call, Func<ulong, T> own) where T : NativeObject
        {
            ulong id = 0;
            ulong* made = &id;
            try
            {
                Run(context, with => call(with, made));
            }
            catch
            {
                if (id != 0) own(id).Dispose();
                throw;
            }
            return own(id);
        }

        private void Run(Call call)
        {
            ContextData data;
            Interop.Check(Native.wayfare_context_default(&data, Interop.SizeOf<ContextData>()));
            data.MeasureTimes = MeasureTimes ? 1u : 0u;
            data.MemoryLimit = MemoryLimit;
            data.Threads = Interop.Count(Threads, nameof(Threads));
            if (OnProgress != null || OnLog != null)
            {
                data.Progress = OnProgress == null ? IntPtr.Zero : Marshal.GetFunctionPointerForDelegate(ProgressDelegate);
                data.Log = OnLog == null ? IntPtr.Zero : Marshal.GetFunctionPointerForDelegate(LogDelegate);
            }
            var state = new State(OnProgress, OnLog);
            state.Hold();
            CancellationToken token = Cancellation;
            Cancel cancel = token.CanBeCanceled ? new Cancel() : null;
            var registration = default(CancellationTokenRegistration);
            try
            {
                if (cancel != null)
                {
                    registration = token.Register(cancel.Now);
                    data.Cancel = cancel.Id;
                }
                data.User = (void*)state.User;
                long before = CallbackState.Moment;
                Status status = call(&data);
                state.Since(before)?.Throw();
                if (status == Status.Cancelled) throw new OperationCanceledException(Interop.LastError(), token);
                Interop.Check(status);
            }
            finally
            {
                registration.Dispose();
                if (cancel != null) cancel.Dispose();
                state.Release();
            }
        }

        [MonoPInvokeCallback(typeof(ProgressCallback))]
        private static int HearProgress(IntPtr user, ulong done, ulong total)
        {
            State state = CallbackState.Of<State>(user);
            try
            {
                if (state.Refuses()) return 1;
                state.OnProgress(new WorkProgress(done, total));
                return 0;
            }
            catch (Exception exception)
            {
                state.Keep(exception);
                return 1;
            }
        }

        [MonoPInvokeCallback(typeof(LogCallback))]
        private static void HearLog(IntPtr user, IntPtr message)
        {
            State state = CallbackState.Of<State>(user);
            try
            {
                state.OnLog(Utf8Text(message));
            }
            catch (Exception exception)
            {
                state.Keep(exception);
            }
        }

        private static string Utf8Text(IntPtr text)
        {
            int length = 0;
            while (Marshal.ReadByte(text, length) != 0) length++;
            return System.Text.Encoding.UTF8.GetString((byte*)text, length);
        }

        private sealed class State : CallbackState
        {
            internal readonly Action<WorkProgress> OnProgress;
            internal readonly Action<string> OnLog;

            internal State(Action<WorkProgress> onProgress, Action<string> onLog)
            {
                OnProgress = onProgress;
                OnLog = onLog;
            }
        }
    }

    internal sealed unsafe class Cancel : NativeObject
    {
        internal Cancel() => Own(Interop.Make(made => Native.wayfare_cancel_new(made)));

        internal void Now()
        {
            // Too late where the work is over.
            if (!IsClosed) Interop.Check(Native.wayfare_cancel_now(this));
        }

        internal override Status Free(ulong id) => Native.wayfare_cancel_free(id);
    }
}

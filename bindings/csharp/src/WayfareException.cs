using System;

namespace Wayfare
{
    /// <summary>
    /// What a call could not do, with the sentence of the library. An argument that cannot be right is an
    /// <see cref="ArgumentException"/>, an object that was disposed an <see cref="ObjectDisposedException"/>, cancelled work
    /// an <see cref="OperationCanceledException"/>; all else is this. "There is no path" is an answer, and no exception.
    /// </summary>
    public sealed class WayfareException : Exception
    {
        internal WayfareException(Status status, string sentence) : base(sentence)
        {
            Status = status;
        }

        /// <summary>Which kind of failure it is.</summary>
        public Status Status { get; }
    }
}

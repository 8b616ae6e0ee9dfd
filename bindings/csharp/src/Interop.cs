using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Wayfare
{
    /// <summary>What all classes do at the border: statuses to exceptions, lists, texts and bytes out of it.</summary>
    internal static unsafe class Interop
    {
        internal delegate Status ListCall(void* values, UIntPtr capacity, UIntPtr* count);
        internal delegate Status TextCall(byte* text, UIntPtr capacity, UIntPtr* length);
        internal delegate Status MakeCall(ulong* made);
        internal delegate Status ReadCall(byte* bytes, UIntPtr count, ulong* made);

        /// <summary>Room that is offered at first for lists that are usually long; what has more is asked for again.</summary>
        internal const int Many = 256;

        /// <summary>The same for all other lists.</summary>
        private const int Few = 32;

        /// <summary>Bytes that are offered at first for texts.</summary>
        private const int TextRoom = 256;

        internal static void Check(Status status)
        {
            if (status != Status.Ok) throw Failure(status);
        }

        private static Exception Failure(Status status)
        {
            string sentence = LastError();
            switch (status)
            {
                case Status.InvalidArgument:
                    return new ArgumentException(sentence);
                case Status.DeadHandle:
                    return new ObjectDisposedException(null, sentence);
                case Status.Cancelled:
                    return new OperationCanceledException(sentence);
                default:
                    return new WayfareException(status, sentence);
            }
        }

        internal static string LastError()
        {
            var text = new byte[TextRoom];
            UIntPtr length;
            for (; ; )
            {
                Status status;
                fixed (byte* at = text) status = Native.wayfare_last_error(at, (UIntPtr)text.Length, &length);
                if (status != Status.TooSmall) return Encoding.UTF8.GetString(text, 0, (int)length);
                text = new byte[(int)length + 1];
            }
        }

        /// <summary>Asks for a list: with room for a few values at once, and again where there are more.</summary>
        internal static T[] List<T>(ListCall ask, NativeObject of = null, int room = Few) where T : struct
        {
            var values = new T[room];
            for (; ; )
            {
                UIntPtr count;
                Status status;
                long before = CallbackState.Moment;
                fixed (byte* at = MemoryMarshal.AsBytes(values.AsSpan())) status = ask(at, (UIntPtr)values.Length, &count);
                if (of != null) of.ThrownSince(before)?.Throw();
                if (status == Status.TooSmall)
                {
                    values = new T[(int)count];
                    continue;
                }
                Check(status);
                if ((int)count != values.Length) Array.Resize(ref values, (int)count);
                return values;
            }
        }

        /// <summary>Fills a span of the caller, and says how many values there are; the span must have room for all.</summary>
        internal static int Fill<T>(Span<T> values, ListCall ask) where T : struct
        {
            UIntPtr count;
            fixed (byte* at = MemoryMarshal.AsBytes(values)) Check(ask(at, (UIntPtr)values.Length, &count));
            return (int)count;
        }

        internal static string Text(TextCall ask, NativeObject of = null)
        {
            var text = new byte[TextRoom];
            for (; ; )
            {
                UIntPtr length;
                Status status;
                long before = CallbackState.Moment;
                fixed (byte* at = text) status = ask(at, (UIntPtr)text.Length, &length);
                if (of != null) of.ThrownSince(before)?.Throw();
                if (status == Status.TooSmall)
                {
                    text = new byte[(int)length + 1];
                    continue;
                }
                Check(status);
                return Encoding.UTF8.GetString(text, 0, (int)length);
            }
        }

        /// <summary>A text with a 0 at its end.</summary>
        internal static byte[] Utf8(string text, string name)
        {
            if (text == null) throw new ArgumentNullException(name);
            if (text.IndexOf('\0') >= 0) throw new ArgumentException("the text holds a zero character", name);
            var bytes = new byte[Encoding.UTF8.GetByteCount(text) + 1];
            Encoding.UTF8.GetBytes(text, 0, text.Length, bytes, 0);
            return bytes;
        }

        internal static byte[] Bytes(MakeCall make)
        {
            ulong id;
            Check(make(&id));
            return TakeBytes(id);
        }

        /// <summary>Bytes that a call has made, which are freed.</summary>
        internal static byte[] TakeBytes(ulong id)
        {
            using (var bytes = new Bytes(id))
            {
                UIntPtr size;
                Check(Native.wayfare_bytes_size(bytes, &size));
                var copy = new byte[checked((int)size)];
                fixed (byte* at = copy) Check(Native.wayfare_bytes_copy(bytes, at, size, &size));
                return copy;
            }
        }

        /// <summary>What a call makes of bytes.</summary>
        internal static ulong Make(ReadOnlySpan<byte> bytes, ReadCall make)
        {
            ulong id;
            fixed (byte* from = bytes) Check(make(from, (UIntPtr)bytes.Length, &id));
            return id;
        }

        internal static ulong Make(MakeCall make)
        {
            ulong id;
            Check(make(&id));
            return id;
        }

        /// <summary>The size of a structure, as functions take it that fill one.</summary>
        internal static UIntPtr SizeOf<T>() => (UIntPtr)Marshal.SizeOf<T>();

        internal static UIntPtr Size(int count, string name)
        {
            if (count < 0) throw new ArgumentOutOfRangeException(name, count, "a count cannot be negative");
            return (UIntPtr)count;
        }

        internal static uint Count(int count, string name)
        {
            if (count < 0) throw new ArgumentOutOfRangeException(name, count, "a count cannot be negative");
            return (uint)count;
        }

        internal static void SameLength(int a, int b, string name)
        {
            if (a != b) throw new ArgumentException("there are " + a + " values, but room for " + b, name);
        }
    }

    /// <summary>Bytes that a call made.</summary>
    internal sealed class Bytes : NativeObject
    {
        internal Bytes(ulong id) => Own(id);

        internal override Status Free(ulong id) => Native.wayfare_bytes_free(id);
    }
}

using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Wayfare.Tests
{
    /// <summary>A JSON value: just enough to read the cases, so that the tests need no package.</summary>
    internal sealed class Json
    {
        private readonly object value;

        private Json(object value)
        {
            this.value = value;
        }

        internal static Json Parse(string text)
        {
            int at = 0;
            Json made = Value(text, ref at);
            Skip(text, ref at);
            if (at != text.Length) throw new FormatException("more than one value, at " + at);
            return made;
        }

        private Dictionary<string, Json> Members => (Dictionary<string, Json>)value;

        internal IEnumerable<string> Names => Members.Keys;

        internal List<Json> Items => (List<Json>)value;

        internal Json this[string name] => Members[name];

        internal Json this[int index] => Items[index];

        internal bool Has(string name) => Members.ContainsKey(name);

        internal IEnumerable<Json> List(string name) => Has(name) ? Members[name].Items : new List<Json>();

        internal string Text => (string)value;

        internal bool Flag => (bool)value;

        internal double Number => (double)value;

        internal float Float => (float)Number;

        internal int Int => (int)Number;

        internal uint Uint => (uint)Number;

        internal uint UintOr(string name, uint other) => Has(name) ? this[name].Uint : other;

        private static void Skip(string text, ref int at)
        {
            while (at < text.Length && char.IsWhiteSpace(text[at])) at++;
        }

        private static bool Take(string text, ref int at, char wanted)
        {
            Skip(text, ref at);
            if (text[at] != wanted) return false;
            at++;
            return true;
        }

        private static Json Value(string text, ref int at)
        {
            if (Take(text, ref at, '{'))
            {
                var members = new Dictionary<string, Json>();
                while (!Take(text, ref at, '}'))
                {
                    string name = Value(text, ref at).Text;
                    if (!Take(text, ref at, ':')) throw new FormatException("no colon at " + at);
                    members[name] = Value(text, ref at);
                    Take(text, ref at, ',');
                }
                return new Json(members);
            }
            if (Take(text, ref at, '['))
            {
                var items = new List<Json>();
                while (!Take(text, ref at, ']'))
                {
                    items.Add(Value(text, ref at));
                    Take(text, ref at, ',');
                }
                return new Json(items);
            }
            if (Take(text, ref at, '"')) return new Json(Quoted(text, ref at));
            int start = at;
            while (at < text.Length && ",]} \n\r\t".IndexOf(text[at]) < 0) at++;
            string word = text.Substring(start, at - start);
            if (word == "true" || word == "false") return new Json(word == "true");
            if (word == "null") return new Json(null);
            double number = double.Parse(word, CultureInfo.InvariantCulture);
            // Mono and .NET Framework lose the sign of a negative zero.
            return new Json(number == 0 && word[0] == '-' ? -0.0 : number);
        }

        private static string Quoted(string text, ref int at)
        {
            var made = new StringBuilder();
            for (; text[at] != '"'; at++)
            {
                if (text[at] != '\\')
                {
                    made.Append(text[at]);
                    continue;
                }
                at++;
                if (text[at] == 'u')
                {
                    made.Append((char)int.Parse(text.Substring(at + 1, 4), NumberStyles.HexNumber, CultureInfo.InvariantCulture));
                    at += 4;
                }
                else
                {
                    int which = "nrtbf".IndexOf(text[at]);
                    made.Append(which < 0 ? text[at] : "\n\r\t\b\f"[which]);
                }
            }
            at++;
            return made.ToString();
        }
    }
}

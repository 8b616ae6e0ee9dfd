using System;
using System.Runtime.InteropServices;

namespace Wayfare
{
    /// <content>Baking.</content>
    public sealed unsafe partial class NavMesh
    {
        /// <summary>
        /// Bakes a level. Settings of null are the defaults. A level that holds nothing to walk on is an exception with
        /// <see cref="Status.NothingWalkable"/> that says why.
        /// </summary>
        public static NavMesh Bake(Level level, BakeSettings settings = null, WorkContext context = null) =>
            WorkContext.Make(context, (with, made) => Native.wayfare_bake(level, settings, with, made, null), id => new NavMesh(id));

        /// <summary>The same with a report, which is there even if the bake fails for lack of something to walk on.</summary>
        public static NavMesh Bake(Level level, BakeSettings settings, out BakeReport report, WorkContext context = null)
        {
            ulong told = 0;
            ulong* reported = &told;
            report = null;
            try
            {
                return WorkContext.Make(
                    context, (with, made) => Native.wayfare_bake(level, settings, with, made, reported), id => new NavMesh(id));
            }
            finally
            {
                if (told != 0) report = new BakeReport(told);
            }
        }

        /// <summary>Bakes a level for several agents at once: a mesh for each of the settings, in their order.</summary>
        public static NavMesh[] BakeAgents(Level level, BakeSettings[] settings, WorkContext context = null)
        {
            if (settings == null) throw new ArgumentNullException(nameof(settings));
            if (settings.Length == 0) return new NavMesh[0];
            int size = Marshal.SizeOf<BakeSettings>();
            IntPtr all = Marshal.AllocHGlobal(size * settings.Length);
            var ids = new ulong[settings.Length];
            try
            {
                for (int i = 0; i < settings.Length; i++)
                {
                    if (settings[i] == null) throw new ArgumentNullException(nameof(settings));
                    Marshal.StructureToPtr(settings[i], all + i * size, false);
                }
                fixed (ulong* pinned = ids)
                {
                    ulong* made = pinned;
                    UIntPtr count = (UIntPtr)ids.Length;
                    WorkContext.Run(context, with => Native.wayfare_bake_agents(level, (void*)all, count, with, made));
                }
            }
            catch
            {
                foreach (ulong id in ids) Native.wayfare_mesh_free(id);
                throw;
            }
            finally
            {
                Marshal.FreeHGlobal(all);
            }
            return Array.ConvertAll(ids, id => new NavMesh(id));
        }

        /// <summary>
        /// Remembers from what each tile was baked, so that <see cref="BakeChanged"/> bakes only what has changed. It is saved
        /// with the mesh.
        /// </summary>
        public void RememberLevel(Level level, BakeSettings settings) =>
            Call.Check(Native.wayfare_mesh_remember_level(this, level, settings));

        /// <summary>
        /// Bakes a level that has changed since <see cref="RememberLevel"/>: only tiles whose input differs. Settings and bounds
        /// must be such that the tiles lie where they were, else it throws and changes nothing. Gives how many tiles differ now.
        /// </summary>
        public int BakeChanged(Level level, BakeSettings settings, WorkContext context = null)
        {
            uint changed;
            uint* count = &changed;
            WorkContext.Run(context, with => Native.wayfare_mesh_bake_changed(this, level, settings, with, count));
            return (int)changed;
        }

        /// <summary>
        /// Bakes the tiles under a box anew; gives how many differ now. Settings and bounds must be such that the tiles lie
        /// where they were, else it throws and changes nothing.
        /// </summary>
        public int BakeBox(Level level, BakeSettings settings, Box area)
        {
            uint changed;
            Call.Check(Native.wayfare_mesh_bake_box(this, level, settings, area, &changed));
            return (int)changed;
        }

        /// <summary>
        /// Finds drops, jumps and climbs on a mesh that was baked from this level with these settings, and adds them as
        /// off-mesh connections.
        /// </summary>
        public AutoLink[] FindLinks(Level level, BakeSettings settings, LinkSettings links = null, WorkContext context = null)
        {
            LinkSettings rules = links ?? new LinkSettings(settings);
            UIntPtr added;
            UIntPtr* count = &added;
            WorkContext.Run(context, with => Native.wayfare_mesh_find_links(this, level, settings, rules, with, count));
            return Interop.List<AutoLink>(
                (list, room, many) => Native.wayfare_mesh_found_links(this, (AutoLink*)list, room, many), null, Math.Max((int)added, 1));
        }
    }

    /// <summary>A bake that is done in steps, within frames of a game.</summary>
    public sealed unsafe class BakeJob : NativeObject
    {
        /// <summary>Begins a bake; nothing is baked yet.</summary>
        public BakeJob(Level level, BakeSettings settings = null) =>
            Own(Interop.Make(made => Native.wayfare_bake_job_new(level, settings, made)));

        /// <summary>Bakes on for <c>budget</c> units of work, stages of tiles, at least one.</summary>
        public WorkProgress Step(ulong budget, WorkContext context = null)
        {
            ulong done, total;
            ulong* at = &done, all = &total;
            WorkContext.Run(context, with => Native.wayfare_bake_job_step(this, budget, with, at, all));
            return new WorkProgress(done, total);
        }

        /// <summary>The mesh of a finished job, which is then of no more use.</summary>
        public NavMesh Finish() => new NavMesh(Interop.Make(made => Native.wayfare_bake_job_finish(this, made, null)));

        /// <summary>The mesh of a finished job and its report, which is there even if there is nothing to walk on.</summary>
        public NavMesh Finish(out BakeReport report)
        {
            ulong mesh, told = 0;
            Status status = Native.wayfare_bake_job_finish(this, &mesh, &told);
            report = told == 0 ? null : new BakeReport(told);
            Interop.Check(status);
            return new NavMesh(mesh);
        }

        internal override Status Free(ulong id) => Native.wayfare_bake_job_free(id);
    }

    /// <summary>What a bake did, counted, timed, and what it warns of.</summary>
    public sealed unsafe class BakeReport : NativeObject
    {
        private const int StageCount = 10;

        internal BakeReport(ulong id) => Own(id);

        /// <summary>Its counts.</summary>
        public BakeStats Stats
        {
            get
            {
                BakeStats stats;
                Call.Check(Native.wayfare_report_stats(this, &stats));
                return stats;
            }
        }

        /// <summary>The stages with the seconds that each took; 0 unless the context asked for times.</summary>
        public StageTime[] Stages
        {
            get
            {
                var stages = new StageTime[StageCount];
                var name = new byte[64];
                for (uint i = 0; i < StageCount; i++)
                {
                    double seconds;
                    fixed (byte* text = name) Call.Check(Native.wayfare_report_stage(this, i, &seconds, text, (UIntPtr)name.Length));
                    stages[i] = new StageTime(System.Text.Encoding.UTF8.GetString(name, 0, Array.IndexOf<byte>(name, 0)), seconds);
                }
                return stages;
            }
        }

        /// <summary>Its warnings, in words and by place.</summary>
        public BakeNotice[] Warnings
        {
            get
            {
                BakeWarning[] warnings = Interop.List<BakeWarning>(
                    (list, room, count) => Native.wayfare_report_warnings(this, (BakeWarning*)list, room, count));
                var notices = new BakeNotice[warnings.Length];
                for (int i = 0; i < warnings.Length; i++)
                {
                    var number = (UIntPtr)i;
                    string name = Interop.Text(
                        (text, room, length) => Native.wayfare_report_warning_name(this, number, text, room, length));
                    Vec3[] places = Interop.List<Vec3>(
                        (list, room, count) => Native.wayfare_report_warning_places(this, number, (Vec3*)list, room, count));
                    notices[i] = new BakeNotice(warnings[i], name, places);
                }
                return notices;
            }
        }

        internal override Status Free(ulong id) => Native.wayfare_report_free(id);
    }

    /// <summary>How long a stage of a bake took.</summary>
    public readonly struct StageTime
    {
        internal StageTime(string name, double seconds)
        {
            Name = name;
            Seconds = seconds;
        }

        /// <summary>The name of the stage.</summary>
        public string Name { get; }

        /// <summary>Its time.</summary>
        public double Seconds { get; }
    }

    /// <summary>A warning of a bake.</summary>
    public sealed class BakeNotice
    {
        internal BakeNotice(BakeWarning warning, string name, Vec3[] places)
        {
            Kind = warning.Kind;
            Count = warning.Count;
            Name = name;
            Places = places;
        }

        /// <summary>What it warns of, by number.</summary>
        public uint Kind { get; }

        /// <summary>What it warns of, in words.</summary>
        public string Name { get; }

        /// <summary>How often.</summary>
        public uint Count { get; }

        /// <summary>Where, as far as places were kept.</summary>
        public System.Collections.Generic.IReadOnlyList<Vec3> Places { get; }

        /// <summary>Its name and count.</summary>
        public override string ToString() => Name + " (" + Count + ")";
    }

    /// <summary>Why the places of a level can or cannot be walked on.</summary>
    public sealed unsafe class ExplainMap : NativeObject
    {
        private ExplainMap(ulong id) => Own(id);

        /// <summary>Explains a whole level.</summary>
        public static ExplainMap Of(Level level, BakeSettings settings = null, WorkContext context = null) =>
            WorkContext.Make(context, (with, made) => Native.wayfare_explain_level(level, settings, with, made), id => new ExplainMap(id));

        /// <summary>Explains the surroundings of a point: much faster than the whole level.</summary>
        public static ExplainMap Around(Level level, BakeSettings settings, Vec3 at) =>
            new ExplainMap(Interop.Make(made => Native.wayfare_explain_around(level, settings, at, made)));

        /// <summary>Why a place can or cannot be walked on; null if it lies outside of what was explained.</summary>
        public Explanation? At(Vec3 at)
        {
            uint found;
            Explanation explanation;
            Call.Check(Native.wayfare_explain_at(this, at, &found, &explanation));
            return found != 0 ? explanation : (Explanation?)null;
        }

        /// <summary>The reason by name, such as <c>blocked</c>; <c>outside</c> for a place outside of what was explained.</summary>
        public string ReasonAt(Vec3 at) => Text(at, 0);

        /// <summary>The reason in a sentence.</summary>
        public string SentenceAt(Vec3 at) => Text(at, 1);

        private string Text(Vec3 at, uint whole) =>
            Interop.Text((text, room, length) => Native.wayfare_explain_text(this, at, whole, text, room, length));

        internal override Status Free(ulong id) => Native.wayfare_explain_free(id);
    }
}

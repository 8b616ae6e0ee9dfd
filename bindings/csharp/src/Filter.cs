using System;
using System.Runtime.InteropServices;

namespace Wayfare
{
    /// <summary>
    /// What a path may use, and what it costs. Queries and crowds take it as it is: changing a filter later changes no query.
    /// Queries, queues and cut meshes take null for the mesh's own costs and all flags; crowds do not.
    /// </summary>
    public sealed unsafe class Filter : NativeObject
    {
        private static readonly PassesCallback PassesDelegate = HearPasses;
        private static readonly CostCallback CostDelegate = HearCost;
        private static readonly ReleaseCallback ReleaseDelegate = HearRelease;

        /// <summary>The mesh's own costs and all flags.</summary>
        internal static readonly Filter None = new Filter(0, null);

        /// <summary>
        /// A filter with the costs of a mesh (all 1 if it is null), and flags of which a polygon must have one and must have
        /// none.
        /// </summary>
        public Filter(NavMesh mesh = null, uint include = 0xFFFF, uint exclude = 0)
        {
            ulong made;
            if (mesh == null) Interop.Check(Native.wayfare_filter_new(NoMesh, include, exclude, &made));
            else Interop.Check(Native.wayfare_filter_new(mesh, include, exclude, &made));
            Own(made);
        }

        private static readonly NavMesh NoMesh = new NavMesh(0);

        private Filter(ulong id, CallbackState state)
        {
            Own(id);
            if (state != null) KeepState(state);
        }

        /// <summary>
        /// A filter of one's own. The functions are called from every thread that asks with it, and must give the same answers
        /// for the same arguments. What they throw ends the search, and comes out of the call that asked.
        /// </summary>
        /// <param name="passes">Whether a polygon may be used, by its reference, area type and flags; null for all with a flag.</param>
        /// <param name="cost">What a step costs, 0 or above, infinite to close it; null for its length.</param>
        /// <param name="leastCost">The least that a metre may cost: searches are fast where it is near the truth, and wrong where it is above.</param>
        /// <param name="mostCost">The most that a metre may cost.</param>
        /// <param name="byState">Whether area type and flags alone decide.</param>
        public static Filter Of(
            Func<PolyRef, uint, uint, bool> passes,
            Func<Crossing, float> cost = null,
            float leastCost = 1,
            float mostCost = float.PositiveInfinity,
            bool byState = false)
        {
            var state = new State(passes, cost);
            // For native code, which says when it needs it no more.
            state.Hold();
            bool isMade = false;
            try
            {
                FilterData data;
                Interop.Check(Native.wayfare_filter_callbacks_default(&data, Interop.SizeOf<FilterData>()));
                data.LeastCost = leastCost;
                data.MostCost = mostCost;
                data.ByState = byState ? 1u : 0u;
                data.Passes = passes == null ? IntPtr.Zero : Marshal.GetFunctionPointerForDelegate(PassesDelegate);
                data.Cost = cost == null ? IntPtr.Zero : Marshal.GetFunctionPointerForDelegate(CostDelegate);
                data.Release = Marshal.GetFunctionPointerForDelegate(ReleaseDelegate);
                data.User = (void*)state.User;
                ulong made;
                Interop.Check(Native.wayfare_filter_from_callbacks(&data, &made));
                isMade = true;
                return new Filter(made, state);
            }
            finally
            {
                if (!isMade) state.Release();
            }
        }

        /// <summary>Sets what a metre over an area type costs: 0 or above; infinite closes it. Not of filters of one's own.</summary>
        public void SetAreaCost(uint area, float cost) => Call.Check(Native.wayfare_filter_set_area_cost(this, area, cost));

        /// <summary>
        /// A filter on which slopes that rise more than <c>maxRise</c> are walked down only; where <c>flags</c> is not 0, only
        /// on polygons with any of them.
        /// </summary>
        public Filter Downhill(float maxRise, uint flags = 0)
        {
            ulong made;
            Call.Check(Native.wayfare_filter_downhill(this, maxRise, flags, &made));
            return OnTop(made);
        }

        /// <summary>A filter with the costs of an overlay on top, as it is now, times <c>weight</c>.</summary>
        public Filter With(CostOverlay overlay, float weight = 1)
        {
            ulong made;
            Call.Check(Native.wayfare_filter_with_overlay(this, overlay, weight, &made));
            return OnTop(made);
        }

        private Filter OnTop(ulong id)
        {
            var filter = new Filter(id, null);
            filter.KeepStatesOf(this);
            return filter;
        }

        [MonoPInvokeCallback(typeof(PassesCallback))]
        private static uint HearPasses(IntPtr user, ulong poly, uint area, uint flags)
        {
            State state = CallbackState.Of<State>(user);
            try
            {
                // Once one has thrown nothing passes, so that the search ends soon.
                return !state.Refuses() && state.Passes(new PolyRef(poly), area, flags) ? 1u : 0u;
            }
            catch (Exception exception)
            {
                state.Keep(exception);
                return 0;
            }
        }

        [MonoPInvokeCallback(typeof(CostCallback))]
        private static float HearCost(IntPtr user, Crossing* crossing)
        {
            State state = CallbackState.Of<State>(user);
            try
            {
                return state.Refuses() ? float.PositiveInfinity : state.Cost(*crossing);
            }
            catch (Exception exception)
            {
                state.Keep(exception);
                return float.PositiveInfinity;
            }
        }

        [MonoPInvokeCallback(typeof(ReleaseCallback))]
        private static void HearRelease(IntPtr user) => CallbackState.Of<State>(user).ReleaseNative();

        internal override Status Free(ulong id) => Native.wayfare_filter_free(id);

        private sealed class State : CallbackState
        {
            internal readonly Func<PolyRef, uint, uint, bool> Passes;
            internal readonly Func<Crossing, float> Cost;

            internal State(Func<PolyRef, uint, uint, bool> passes, Func<Crossing, float> cost)
            {
                Passes = passes;
                Cost = cost;
            }
        }
    }

    /// <content>What costs are made of.</content>
    public partial struct Crossing
    {
        /// <summary>The length of the step.</summary>
        public float Length => Vec3.Distance(From, To);
    }

    /// <summary>Costs that change by place, and fade.</summary>
    public sealed unsafe class CostOverlay : NativeObject
    {
        /// <summary>
        /// An overlay with nothing painted. <c>halfLife</c> is the ticks after which costs are half as high, 0 for never; a
        /// size of 0 stands for what is usual.
        /// </summary>
        public CostOverlay(int halfLife = 0, float cellSize = 0, float cellHeight = 0, int maxCells = 0)
        {
            uint ticks = Interop.Count(halfLife, nameof(halfLife)), cells = Interop.Count(maxCells, nameof(maxCells));
            Own(Interop.Make(made => Native.wayfare_overlay_new(cellSize, cellHeight, ticks, cells, made)));
        }

        private CostOverlay(ulong id) => Own(id);

        /// <summary>Loads what <see cref="Save"/> gave.</summary>
        public static CostOverlay Load(ReadOnlySpan<byte> bytes)
        {
            ulong made;
            fixed (byte* from = bytes) Interop.Check(Native.wayfare_overlay_load(from, (UIntPtr)bytes.Length, &made));
            return new CostOverlay(made);
        }

        /// <summary>Paints a disc: what a metre costs besides. <c>reach</c> is how far up and down it goes. 0 wipes.</summary>
        public void PaintDisc(Vec3 center, float radius, float reach, float cost) =>
            Call.Check(Native.wayfare_overlay_paint_disc(this, center, radius, reach, cost));

        /// <summary>Paints a box.</summary>
        public void PaintBox(Box area, float cost) => Call.Check(Native.wayfare_overlay_paint_box(this, area, cost));

        /// <summary>Paints an outline from one height to another.</summary>
        public void PaintOutline(ReadOnlySpan<Vec2> corners, float minY, float maxY, float cost)
        {
            fixed (Vec2* at = corners)
            {
                Call.Check(Native.wayfare_overlay_paint_outline(this, at, (UIntPtr)corners.Length, minY, maxY, cost));
            }
        }

        /// <summary>Lets time pass: costs fade by their half-life.</summary>
        public void Advance(int ticks) => Call.Check(Native.wayfare_overlay_advance(this, Interop.Count(ticks, nameof(ticks))));

        /// <summary>Wipes everything.</summary>
        public void Clear() => Call.Check(Native.wayfare_overlay_clear(this));

        /// <summary>What a metre costs at a point.</summary>
        public float CostAt(Vec3 at)
        {
            float cost;
            Call.Check(Native.wayfare_overlay_cost_at(this, at, &cost));
            return cost;
        }

        /// <summary>The overlay as bytes.</summary>
        public byte[] Save() => Interop.Bytes(made => Native.wayfare_overlay_save(this, made));

        internal override Status Free(ulong id) => Native.wayfare_overlay_free(id);
    }
}

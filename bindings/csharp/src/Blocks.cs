using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace Wayfare
{
    /// <summary>Where the blocks of a world are.</summary>
    public sealed unsafe class BlockWorld : NativeObject
    {
        private static readonly BlockCallback BlockDelegate = HearBlock;

        /// <summary>A world of air in chunks, which grows where blocks are set.</summary>
        public BlockWorld() => Own(Interop.Make(made => Native.wayfare_blocks_new(made)));

        /// <summary>A world of air within bounds, held as one array.</summary>
        public BlockWorld(BlockBox bounds) => Own(Interop.Make(made => Native.wayfare_blocks_new_dense(bounds, made)));

        private BlockWorld(ulong id) => Own(id);

        /// <summary>A world of columns: below each height everything is solid. <c>width</c> heights in a row.</summary>
        public static BlockWorld FromHeights(int width, ReadOnlySpan<int> heights)
        {
            ulong made;
            fixed (int* at = heights)
            {
                uint row = Interop.Count(width, nameof(width));
                Interop.Check(Native.wayfare_blocks_new_heights(row, at, (UIntPtr)heights.Length, &made));
            }
            return new BlockWorld(made);
        }

        /// <summary>
        /// A world whose blocks the game is asked for. A world without bounds may have no end: the search for a goal that
        /// cannot be reached ends at its limit. What the function throws ends the search and comes out of the call.
        /// </summary>
        public static BlockWorld Of(Func<Cell, BlockKind> kindOf, BlockBox? bounds = null)
        {
            if (kindOf == null) throw new ArgumentNullException(nameof(kindOf));
            var state = new State(kindOf);
            state.Hold();
            try
            {
                ulong made;
                IntPtr call = Marshal.GetFunctionPointerForDelegate(BlockDelegate);
                uint bounded = bounds.HasValue ? 1u : 0u;
                BlockBox box = bounds.GetValueOrDefault();
                Interop.Check(Native.wayfare_blocks_from_callback(call, (void*)state.User, bounded, box, &made));
                var world = new BlockWorld(made);
                world.KeepState(state);
                return world;
            }
            finally
            {
                state.Release();
            }
        }

        /// <summary>Sets all blocks of a box. Paths know nothing of it before <see cref="BlockNav.Invalidate"/>.</summary>
        public void Fill(BlockBox area, BlockKind kind) => Call.Check(Native.wayfare_blocks_fill(this, area, (uint)kind));

        /// <summary>What a block is.</summary>
        public BlockKind this[Cell at]
        {
            get
            {
                uint kind;
                Call.Check(Native.wayfare_blocks_get(this, at, &kind));
                return (BlockKind)kind;
            }
            set => Fill(at, value);
        }

        [MonoPInvokeCallback(typeof(BlockCallback))]
        private static uint HearBlock(IntPtr user, int x, int y, int z)
        {
            State state = CallbackState.Of<State>(user);
            try
            {
                // Once it has thrown there is nothing to stand on, so that the search ends soon.
                return state.Refuses() ? (uint)BlockKind.Air : (uint)state.KindOf(new Cell(x, y, z));
            }
            catch (Exception exception)
            {
                state.Keep(exception);
                return (uint)BlockKind.Air;
            }
        }

        internal override Status Free(ulong id) => Native.wayfare_blocks_free(id);

        private sealed class State : CallbackState
        {
            internal readonly Func<Cell, BlockKind> KindOf;

            internal State(Func<Cell, BlockKind> kindOf)
            {
                KindOf = kindOf;
            }
        }
    }

    /// <summary>A path through blocks.</summary>
    public sealed class BlockRoute
    {
        internal BlockRoute(BlockPath info, Vec3[] points)
        {
            Info = info;
            Points = points;
        }

        /// <summary>The path in short.</summary>
        public BlockPath Info { get; }

        /// <summary>Whether it leads to its goal.</summary>
        public PathStatus Status => Info.Status;

        /// <summary>Whether it leads to its goal.</summary>
        public bool IsComplete => Info.Status == PathStatus.Complete;

        /// <summary>Its length.</summary>
        public float Length => Info.Length;

        /// <summary>Its points.</summary>
        public IReadOnlyList<Vec3> Points { get; }
    }

    /// <summary>Paths in a world of blocks, built where they come by. It is asked with the same world always.</summary>
    public sealed unsafe class BlockNav : NativeObject
    {
        /// <summary>Nothing is built yet. Settings of null are the defaults.</summary>
        public BlockNav(BlockSettings settings = null) => Own(Interop.Make(made => Native.wayfare_block_nav_new(settings, made)));

        /// <summary>What blocks of an area type cost, 0 or above; infinite closes them. 1 is water, 3 doors, 5 ladders, 63 all others.</summary>
        public void SetCost(uint area, float cost) => Call.Check(Native.wayfare_block_nav_set_cost(this, area, cost));

        /// <summary>Says that blocks in a box have changed.</summary>
        public void Invalidate(BlockBox area) => Call.Check(Native.wayfare_block_nav_invalidate(this, area));

        /// <summary>Finds a path from a block to a box of blocks, for which one block will do. <c>maxNodes</c> 0: as usual.</summary>
        public BlockRoute Path(BlockWorld world, Cell start, BlockBox goal, int maxNodes = 0)
        {
            BlockPath path;
            Check(Call.On(world), Native.wayfare_block_nav_path(this, world, start, goal, Interop.Count(maxNodes, nameof(maxNodes)), &path));
            return new BlockRoute(path, Points());
        }

        private Vec3[] Points() =>
            Interop.List<Vec3>((list, room, count) => Native.wayfare_block_nav_points(this, (Vec3*)list, room, count));

        /// <summary>Whether the last path still holds after changes.</summary>
        public bool IsCurrent
        {
            get
            {
                uint current;
                Call.Check(Native.wayfare_block_nav_is_current(this, &current));
                return current != 0;
            }
        }

        /// <summary>
        /// Whether there is a path at all; null if <c>maxNodes</c> was not enough: 0 for the usual 200,000, so that it ends in a
        /// world without bounds, too.
        /// </summary>
        public bool? PathExists(BlockWorld world, Cell start, Cell goal, int maxNodes = 0)
        {
            int answer;
            uint limit = Interop.Count(maxNodes, nameof(maxNodes));
            Check(Call.On(world), Native.wayfare_block_nav_path_exists(this, world, start, goal, limit, &answer));
            return answer < 0 ? (bool?)null : answer == 1;
        }

        /// <summary>The block nearest to a point on which the agent can stand, <c>reach</c> blocks away at most; null if there is none.</summary>
        public Cell? Nearest(BlockWorld world, Vec3 at, int reach)
        {
            uint found;
            Cell nearest;
            Call.On(world).Check(Native.wayfare_block_nav_nearest(this, world, at, Interop.Count(reach, nameof(reach)), &found, &nearest));
            return found != 0 ? nearest : (Cell?)null;
        }

        /// <summary>A random block in a box on which the agent can stand; null if there is none. The seed goes on.</summary>
        public Cell? Random(BlockWorld world, BlockBox area, ref ulong seed) => Random(world, area, null, 0, ref seed);

        /// <summary>The same, of those that can be reached from a block within a radius.</summary>
        public Cell? Random(BlockWorld world, BlockBox area, Cell? start, int radius, ref ulong seed)
        {
            uint found;
            Cell from = start.GetValueOrDefault(), drawn;
            fixed (ulong* random = &seed)
            {
                uint most = Interop.Count(radius, nameof(radius));
                Cell* begin = start.HasValue ? &from : null;
                Check(Call.On(world), Native.wayfare_block_nav_random(this, world, area, begin, most, random, &found, &drawn));
            }
            return found != 0 ? drawn : (Cell?)null;
        }

        /// <summary>Asks for a path that is searched by <see cref="Update"/>.</summary>
        public RequestId Ask(Cell start, BlockBox goal)
        {
            ulong number;
            Call.Check(Native.wayfare_block_nav_ask(this, start, goal, &number));
            return new RequestId(number);
        }

        /// <summary>
        /// Searches on for <c>budget</c> nodes, for all that was asked. Where the world's function throws, the requests that were
        /// being searched are answered as if there were nothing: ask again.
        /// </summary>
        public void Update(BlockWorld world, ulong budget) => Check(Call.On(world), Native.wayfare_block_nav_update(this, world, budget));

        /// <summary>Takes the next answer, and says of which request; null if none is ready.</summary>
        public BlockRoute Take(out RequestId request)
        {
            ulong number;
            BlockPath path;
            Call.Check(Native.wayfare_block_nav_take(this, &number, &path));
            request = new RequestId(number);
            return number == 0 ? null : new BlockRoute(path, Points());
        }

        /// <summary>Gives a request up.</summary>
        public void Withdraw(RequestId request) => Call.Check(Native.wayfare_block_nav_withdraw(this, request.Bits));

        /// <summary>
        /// Begins a walk from a point to a box of blocks, with its path; null if there is no block to stand on near it.
        /// </summary>
        public BlockWalk Walk(BlockWorld world, Vec3 at, BlockBox goal)
        {
            ulong made = 0;
            return Begun(Call.On(world), Native.wayfare_block_walk_new(this, world, at, goal, &made), made);
        }

        /// <summary>
        /// The same without a search: it stays where it is until it follows a path (<see cref="BlockWalk.Ask"/>).
        /// </summary>
        public BlockWalk WalkWithoutPath(BlockWorld world, Vec3 at, BlockBox goal)
        {
            ulong made = 0;
            return Begun(Call.On(world), Native.wayfare_block_walk_without_path(this, world, at, goal, &made), made);
        }

        private BlockWalk Begun(Call call, Status status, ulong made)
        {
            BlockWalk walk = made == 0 ? null : new BlockWalk(made);
            Check(call, status, () => walk?.Dispose());
            return walk;
        }

        /// <summary>
        /// What the world's function threw, else what the call itself says. What was built while it threw may hold air in place
        /// of blocks that it did not name: all of it goes.
        /// </summary>
        internal void Check(Call call, Status status, Action undo = null)
        {
            call.Check(status, () =>
            {
                undo?.Invoke();
                var low = new Cell(int.MinValue, int.MinValue, int.MinValue);
                var high = new Cell(int.MaxValue, int.MaxValue, int.MaxValue);
                if (call.CallsBack) Native.wayfare_block_nav_invalidate(this, new BlockBox(low, high));
            });
        }

        internal override Status Free(ulong id) => Native.wayfare_block_nav_free(id);
    }

    /// <summary>A walk through blocks that keeps up with changes. It belongs to the navigation that it was begun with.</summary>
    public sealed unsafe class BlockWalk : NativeObject
    {
        internal BlockWalk(ulong id) => Own(id);

        /// <summary>
        /// Puts a request into the navigation's queue if the walk needs a path: because it has none, was pushed off it, or blocks
        /// along it have changed. None if it needs no path, or waits for one already. When <see cref="BlockNav.Take"/> gives
        /// the answer, <see cref="Follow"/> it; meanwhile the walk may <see cref="Move"/> on along the old path. If the request was
        /// given up, or another path was found before its answer was followed, it asks anew.
        /// </summary>
        public RequestId Ask(BlockNav nav, BlockWorld world)
        {
            ulong asked = 0;
            Call call = Call.On(world);
            Status status = Native.wayfare_block_walk_ask(this, nav, world, &asked);
            ulong number = asked;
            nav.Check(call, status, () => Native.wayfare_block_nav_withdraw(nav, number));
            return new RequestId(number);
        }

        /// <summary>Follows the path that was taken last, which must be the answer to what the walk asked for.</summary>
        public void Follow(BlockNav nav) => Call.Check(Native.wayfare_block_walk_follow(this, nav));

        /// <summary>
        /// Says where the agent is; gives where that is on the path, where to go next, and whether it has arrived. Without a search.
        /// </summary>
        public (Vec3 now, Vec3 target, bool arrived) Move(BlockNav nav, BlockWorld world, Vec3 to)
        {
            Vec3 now, target;
            uint arrived;
            nav.Check(Call.On(world), Native.wayfare_block_walk_move(this, nav, world, to, &now, &target, &arrived));
            return (now, target, arrived != 0);
        }

        /// <summary>The same, and searches at once what has changed.</summary>
        public (Vec3 now, Vec3 target, bool arrived) Step(BlockNav nav, BlockWorld world, Vec3 to)
        {
            Vec3 now, target;
            uint arrived;
            nav.Check(Call.On(world), Native.wayfare_block_walk_step(this, nav, world, to, &now, &target, &arrived));
            return (now, target, arrived != 0);
        }

        internal override Status Free(ulong id) => Native.wayfare_block_walk_free(id);
    }
}

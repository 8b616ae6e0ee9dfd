using System;
using System.Runtime.ExceptionServices;

namespace Wayfare
{
    /// <summary>Where an agent is to go.</summary>
    public readonly struct AgentTarget
    {
        private AgentTarget(TargetKind kind, Place place, AgentId agent)
        {
            Kind = kind;
            Place = place;
            Agent = agent;
        }

        /// <summary>What it is.</summary>
        public TargetKind Kind { get; }

        internal Place Place { get; }

        internal AgentId Agent { get; }

        /// <summary>Nowhere: it stops.</summary>
        public static AgentTarget None => default(AgentTarget);

        /// <summary>A place, with its polygon.</summary>
        public static AgentTarget Point(Place place) => new AgentTarget(TargetKind.Point, place, default(AgentId));

        /// <summary>A place that moves: it is set anew as it does.</summary>
        public static AgentTarget Moving(Place place) => new AgentTarget(TargetKind.Moving, place, default(AgentId));

        /// <summary>Another agent.</summary>
        public static AgentTarget Following(AgentId agent) => new AgentTarget(TargetKind.Agent, default(Place), agent);

        /// <summary>A velocity.</summary>
        public static AgentTarget Velocity(Vec3 velocity) => new AgentTarget(TargetKind.Velocity, velocity, default(AgentId));
    }

    /// <summary>
    /// Many agents that walk on a mesh and avoid each other. The same ticks give the same positions, to the bit, on any
    /// number of threads.
    /// </summary>
    public sealed unsafe class Crowd : NativeObject
    {
        /// <summary>A crowd without agents. Settings of null are the defaults.</summary>
        public Crowd(CrowdSettings settings = null) => Own(Interop.Make(made => Native.wayfare_crowd_new(settings, made)));

        private Crowd(ulong id) => Own(id);

        /// <summary>Changes its settings.</summary>
        public void SetSettings(CrowdSettings settings) => Call.Check(Native.wayfare_crowd_set_settings(this, settings));

        /// <summary>Adds an agent on the mesh near a point.</summary>
        public AgentId Add(NavMesh mesh, Vec3 at, AgentParams parameters)
        {
            if (parameters == null) throw new ArgumentNullException(nameof(parameters));
            ulong added = 0;
            Call call = Call;
            Status status = Native.wayfare_crowd_add(this, mesh, at, parameters, &added);
            ulong agent = added;
            // Added by a filter that threw on the way.
            call.Check(status, () => Native.wayfare_crowd_remove(this, agent));
            return new AgentId(agent);
        }

        /// <summary>Removes an agent.</summary>
        public void Remove(AgentId agent) => Call.Check(Native.wayfare_crowd_remove(this, agent.Bits));

        /// <summary>All agents, in the order of the arrays of positions and velocities.</summary>
        public AgentId[] Agents =>
            Interop.List<AgentId>((list, room, count) => Native.wayfare_crowd_agents(this, (ulong*)list, room, count), null, Interop.Many);

        /// <summary>The parameters of an agent, as a copy.</summary>
        public AgentParams Params(AgentId agent)
        {
            var parameters = new AgentParams();
            Call.Check(Native.wayfare_crowd_params(this, agent.Bits, parameters, Interop.SizeOf<AgentParams>()));
            return parameters;
        }

        /// <summary>Changes the parameters of an agent.</summary>
        public void SetParams(AgentId agent, AgentParams parameters)
        {
            if (parameters == null) throw new ArgumentNullException(nameof(parameters));
            Call.Check(Native.wayfare_crowd_set_params(this, agent.Bits, parameters));
        }

        /// <summary>Sends an agent to a point, looked up on the mesh.</summary>
        public void GoTo(NavMesh mesh, AgentId agent, Vec3 to) => Call.Check(Native.wayfare_crowd_go_to(this, mesh, agent.Bits, to));

        /// <summary>Sets the target of an agent.</summary>
        public void SetTarget(NavMesh mesh, AgentId agent, AgentTarget target)
        {
            var data = default(TargetData);
            data.Kind = target.Kind;
            data.Place = target.Place;
            data.Agent = target.Agent;
            Call.Check(Native.wayfare_crowd_set_target(this, mesh, agent.Bits, &data));
        }

        /// <summary>Lets an agent stop.</summary>
        public void Stop(NavMesh mesh, AgentId agent) => SetTarget(mesh, agent, AgentTarget.None);

        /// <summary>Puts an agent elsewhere at once.</summary>
        public void Teleport(NavMesh mesh, AgentId agent, Vec3 to) => Call.Check(Native.wayfare_crowd_teleport(this, mesh, agent.Bits, to));

        /// <summary>Says where an agent is that the game moves.</summary>
        public void SetPosition(AgentId agent, Vec3 at) => Call.Check(Native.wayfare_crowd_set_position(this, agent.Bits, at));

        /// <summary>Pushes an agent: it has this velocity now.</summary>
        public void SetVelocity(AgentId agent, Vec3 velocity) => Call.Check(Native.wayfare_crowd_set_velocity(this, agent.Bits, velocity));

        /// <summary>Pauses an agent, or lets it go on.</summary>
        public void Pause(AgentId agent, bool paused = true) => Call.Check(Native.wayfare_crowd_pause(this, agent.Bits, paused ? 1u : 0u));

        /// <summary>How far the game has taken an agent over a connection, 0 to 1.</summary>
        public void SetConnectionProgress(AgentId agent, float progress) =>
            Call.Check(Native.wayfare_crowd_set_connection_progress(this, agent.Bits, progress));

        /// <summary>
        /// Adds a filter for agents, besides number 0, which is the mesh's own; gives what <see cref="AgentParams.Filter"/>
        /// takes.
        /// </summary>
        public uint AddFilter(Filter filter)
        {
            uint number;
            // Before anything can throw, since the crowd has it then.
            KeepStatesOf(filter);
            Call.Check(Native.wayfare_crowd_add_filter(this, filter, &number));
            return number;
        }

        /// <summary>Changes one of the crowd's filters: what passes, or only what it costs.</summary>
        public void SetFilter(uint number, Filter filter, bool costsOnly = false)
        {
            // Before anything can throw, since the crowd has it then.
            KeepStatesOf(filter);
            Call.Check(Native.wayfare_crowd_set_filter(this, number, filter, costsOnly ? 1u : 0u));
        }

        /// <summary>
        /// Sets all obstacles that agents walk around although the mesh does not contain them, in place of the earlier ones:
        /// crates, parked cars, doors ajar. Call it again whenever one has moved. For obstacles that stay, change the mesh: global
        /// paths then take them into account. <see cref="Save"/> leaves them out.
        /// </summary>
        public void SetObstacles(ReadOnlySpan<GridObstacle> obstacles)
        {
            fixed (GridObstacle* at = obstacles) Call.Check(Native.wayfare_crowd_set_obstacles(this, at, (UIntPtr)obstacles.Length));
        }

        /// <summary>
        /// The numbers of the obstacles on an agent's line to its next corner, nearest first, if no local path led around them in
        /// the last tick; else none.
        /// </summary>
        public uint[] ObstructedBy(AgentId agent) => Interop.List<uint>(
            (list, room, count) => Native.wayfare_crowd_obstructed_by(this, agent.Bits, (uint*)list, room, count));

        /// <summary>Where an agent steers instead of its next corner, to get around obstacles; null if its line is free.</summary>
        public Vec3? LocalBend(AgentId agent)
        {
            uint found;
            Vec3 bend;
            Call.Check(Native.wayfare_crowd_local_bend(this, agent.Bits, &found, &bend));
            return found != 0 ? bend : (Vec3?)null;
        }

        /// <summary>
        /// Lets <c>dt</c> seconds pass for all agents. A tick is short: if the context is cancelled already, it does not begin;
        /// after that only the context's <c>Threads</c> and <c>MeasureTimes</c> count.
        /// </summary>
        public void Step(NavMesh mesh, float dt, Planner planner = null, WorkContext context = null)
        {
            if (context == null)
            {
                Call.Check(Native.wayfare_crowd_step(this, mesh, dt, planner ?? Planner.None, null));
                return;
            }
            WorkContext.Run(context, with =>
            {
                Call call = Call;
                Status status = Native.wayfare_crowd_step(this, mesh, dt, planner ?? Planner.None, with);
                call.Rethrow();
                return status;
            });
        }

        /// <summary>Begins a tick that is done phase by phase: then <see cref="RunPhase"/> for each, then <see cref="End"/>.</summary>
        public void Begin(float dt) => Call.Check(Native.wayfare_crowd_begin(this, dt));

        /// <summary>
        /// One phase of a tick. Between them the game may <see cref="Write"/> velocities. Of the context only <c>Threads</c> and
        /// <c>MeasureTimes</c> count.
        /// </summary>
        public void RunPhase(CrowdPhase phase, NavMesh mesh, float dt, Planner planner = null, WorkContext context = null)
        {
            WorkContext.Run(context, with =>
            {
                Call call = Call;
                Status status = Native.wayfare_crowd_phase(this, (uint)phase, mesh, dt, planner ?? Planner.None, with);
                call.Rethrow();
                return status;
            });
        }

        /// <summary>Ends a tick that was done phase by phase.</summary>
        public void End() => Call.Check(Native.wayfare_crowd_end(this));

        /// <summary>Writes a vector of one agent between two phases.</summary>
        public void Write(VelocityArray array, AgentId agent, Vec3 value) =>
            Call.Check(Native.wayfare_crowd_write(this, (uint)array, agent.Bits, value));

        /// <summary>How an agent is.</summary>
        public AgentState State(AgentId agent)
        {
            AgentState state;
            Call.Check(Native.wayfare_crowd_agent(this, agent.Bits, &state));
            return state;
        }

        /// <summary>The positions of all agents, in the order of <see cref="Agents"/>.</summary>
        public Vec3[] Positions =>
            Interop.List<Vec3>((list, room, count) => Native.wayfare_crowd_positions(this, (Vec3*)list, room, count), null, Interop.Many);

        /// <summary>The velocities of all agents, in the order of <see cref="Agents"/>.</summary>
        public Vec3[] Velocities =>
            Interop.List<Vec3>((list, room, count) => Native.wayfare_crowd_velocities(this, (Vec3*)list, room, count), null, Interop.Many);

        /// <summary>The positions into memory of the caller, without any of its own; gives how many there are.</summary>
        public int CopyPositions(Span<Vec3> positions)
        {
            UIntPtr count;
            fixed (Vec3* at = positions) Call.Check(Native.wayfare_crowd_positions(this, at, (UIntPtr)positions.Length, &count));
            return (int)count;
        }

        /// <summary>The velocities into memory of the caller, without any of its own; gives how many there are.</summary>
        public int CopyVelocities(Span<Vec3> velocities)
        {
            UIntPtr count;
            fixed (Vec3* at = velocities) Call.Check(Native.wayfare_crowd_velocities(this, at, (UIntPtr)velocities.Length, &count));
            return (int)count;
        }

        /// <summary>What happened in the last tick.</summary>
        public CrowdEvent[] Events =>
            Interop.List<CrowdEvent>((list, room, count) => Native.wayfare_crowd_events(this, (CrowdEvent*)list, room, count));

        /// <summary>The next corners of an agent.</summary>
        public CorridorCorner[] Corners(AgentId agent) => Interop.List<CorridorCorner>(
            (list, room, count) => Native.wayfare_crowd_corners(this, agent.Bits, (CorridorCorner*)list, room, count));

        /// <summary>The polygons of an agent's corridor.</summary>
        public PolyRef[] Corridor(AgentId agent) => Interop.List<PolyRef>(
            (list, room, count) => Native.wayfare_crowd_corridor(this, agent.Bits, (ulong*)list, room, count));

        /// <summary>The neighbours that an agent saw in the last tick.</summary>
        public AgentId[] Neighbours(AgentId agent) => Interop.List<AgentId>(
            (list, room, count) => Native.wayfare_crowd_neighbours(this, agent.Bits, (ulong*)list, room, count));

        /// <summary>Times and counts of the last tick; times are 0 unless the context of the step asked for them.</summary>
        public CrowdProfile Profile
        {
            get
            {
                CrowdProfile profile;
                Call.Check(Native.wayfare_crowd_profile(this, &profile));
                return profile;
            }
        }

        /// <summary>The crowd as bytes: agents, paths, jumps, random state. The mesh is saved by itself.</summary>
        public byte[] Save(NavMesh mesh, Planner planner = null) =>
            Interop.Bytes(made => Native.wayfare_crowd_save(this, mesh, planner ?? Planner.None, made));

        /// <summary>
        /// Loads a crowd onto the mesh that it was saved on, with the filters that were added to it, in their order. Its
        /// agents keep their ids.
        /// </summary>
        public static Crowd Load(ReadOnlySpan<byte> bytes, NavMesh mesh, params Filter[] filters)
        {
            ulong made;
            long before = CallbackState.Moment;
            ulong[] ids = Array.ConvertAll(filters, filter => filter.Id);
            fixed (byte* from = bytes)
            fixed (ulong* list = ids)
            {
                Interop.Check(Native.wayfare_crowd_load(from, (UIntPtr)bytes.Length, mesh, list, (UIntPtr)ids.Length, &made));
            }
            var crowd = new Crowd(made);
            crowd.KeepStatesOf(filters);
            GC.KeepAlive(filters);
            ExceptionDispatchInfo thrown = crowd.ThrownSince(before);
            if (thrown != null)
            {
                crowd.Dispose();
                thrown.Throw();
            }
            return crowd;
        }

        internal override Status Free(ulong id) => Native.wayfare_crowd_free(id);
    }

    /// <content>Times of the phases.</content>
    public unsafe partial struct CrowdProfile
    {
        /// <summary>Seconds that a phase took.</summary>
        public double SecondsOf(CrowdPhase phase)
        {
            if ((uint)phase > (uint)CrowdPhase.Constrain) throw new ArgumentOutOfRangeException(nameof(phase));
            fixed (double* all = Seconds) return all[(int)phase];
        }
    }

    /// <summary>Agents in a formation behind a leader.</summary>
    public sealed unsafe class Formation : NativeObject
    {
        /// <summary>
        /// A formation of agents of a crowd. Slots are places behind the leader, x to its right and z ahead, one for each
        /// member.
        /// </summary>
        public Formation(Crowd crowd, AgentId leader, ReadOnlySpan<Vec2> slots, ReadOnlySpan<AgentId> members)
        {
            Interop.SameLength(slots.Length, members.Length, nameof(slots));
            ulong made;
            fixed (Vec2* places = slots)
            fixed (AgentId* agents = members)
            {
                Interop.Check(Native.wayfare_formation_new(crowd, leader.Bits, places, (ulong*)agents, (UIntPtr)slots.Length, &made));
            }
            Own(made);
        }

        private Formation(ulong id) => Own(id);

        /// <summary>The slots of a block of so many columns.</summary>
        public static Vec2[] BlockSlots(int count, int columns, float spacing) => Slots(count, columns, spacing, 0);

        /// <summary>The slots of a wedge.</summary>
        public static Vec2[] WedgeSlots(int count, float spacing) => Slots(count, 1, spacing, 1);

        private static Vec2[] Slots(int count, int columns, float spacing, uint wedge)
        {
            var slots = new Vec2[Interop.Count(count, nameof(count))];
            fixed (Vec2* list = slots)
            {
                UIntPtr row = Interop.Size(columns, nameof(columns));
                Interop.Check(Native.wayfare_formation_slots((UIntPtr)count, row, spacing, wedge, list));
            }
            return slots;
        }

        /// <summary>Sends the members to their places behind the leader: once a tick, before the step.</summary>
        public void Lead(Crowd crowd, NavMesh mesh) => Call.On(crowd).Check(Native.wayfare_formation_lead(this, crowd, mesh));

        /// <summary>The formation as bytes, for the crowd that is saved with it.</summary>
        public byte[] Save() => Interop.Bytes(made => Native.wayfare_formation_save(this, made));

        /// <summary>Loads it.</summary>
        public static Formation Load(ReadOnlySpan<byte> bytes)
        {
            ulong made;
            fixed (byte* from = bytes) Interop.Check(Native.wayfare_formation_load(from, (UIntPtr)bytes.Length, &made));
            return new Formation(made);
        }

        internal override Status Free(ulong id) => Native.wayfare_formation_free(id);
    }
}

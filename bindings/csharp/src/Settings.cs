using System;

namespace Wayfare
{
    /// <content>Defaults.</content>
    public sealed unsafe partial class BakeSettings
    {
        /// <summary>The defaults.</summary>
        public BakeSettings() => Interop.Check(Native.wayfare_bake_settings_default(this, Interop.SizeOf<BakeSettings>()));

        /// <summary>Settings that fit an agent: cells, climb and detail follow from its size.</summary>
        public static BakeSettings ForAgent(float height, float radius, float maxClimb)
        {
            var settings = new BakeSettings();
            Interop.Check(Native.wayfare_bake_settings_for_agent(height, radius, maxClimb, settings, Interop.SizeOf<BakeSettings>()));
            return settings;
        }

        /// <summary>The box that is baked; null, the default, for the box around all geometry.</summary>
        public Box? Bounds
        {
            get => hasBounds != 0 ? bounds : (Box?)null;
            set
            {
                hasBounds = value.HasValue ? 1u : 0u;
                bounds = value.GetValueOrDefault();
            }
        }

        /// <summary>What is unwise about these settings, in sentences; empty if nothing is.</summary>
        public string Advice =>
            Interop.Text((text, capacity, length) => Native.wayfare_bake_settings_advice(this, text, capacity, length));

        /// <summary>A copy, to be changed by itself.</summary>
        public BakeSettings Clone() => (BakeSettings)MemberwiseClone();
    }

    /// <content>Defaults.</content>
    public sealed unsafe partial class LinkSettings
    {
        /// <summary>Links that fit the agent of a bake.</summary>
        public LinkSettings(BakeSettings settings)
        {
            if (settings == null) throw new ArgumentNullException(nameof(settings));
            Interop.Check(Native.wayfare_link_settings_for_agent(settings, this, Interop.SizeOf<LinkSettings>()));
        }
    }

    /// <content>Defaults.</content>
    public sealed unsafe partial class QuerySettings
    {
        /// <summary>The defaults.</summary>
        public QuerySettings() => Interop.Check(Native.wayfare_query_settings_default(this, Interop.SizeOf<QuerySettings>()));
    }

    /// <content>Defaults.</content>
    public sealed unsafe partial class CrowdSettings
    {
        /// <summary>The defaults.</summary>
        public CrowdSettings() => Interop.Check(Native.wayfare_crowd_settings_default(this, Interop.SizeOf<CrowdSettings>()));
    }

    /// <content>Defaults.</content>
    public sealed unsafe partial class BlockSettings
    {
        /// <summary>The defaults.</summary>
        public BlockSettings() => Interop.Check(Native.wayfare_block_settings_default(this, Interop.SizeOf<BlockSettings>()));
    }

    /// <content>Defaults.</content>
    public sealed unsafe partial class AgentParams
    {
        /// <summary>An agent of a size: distances grow with the radius.</summary>
        public AgentParams(float radius = 0.6f, float height = 2) =>
            Interop.Check(Native.wayfare_agent_params_of_size(radius, height, this, Interop.SizeOf<AgentParams>()));

        /// <summary>The pedestrian number <c>number</c> that a seed draws: speeds differ as those of people do.</summary>
        public static AgentParams Pedestrian(ulong seed, uint number)
        {
            var made = new AgentParams();
            Interop.Check(Native.wayfare_agent_params_pedestrian(seed, number, made, Interop.SizeOf<AgentParams>()));
            return made;
        }

        /// <summary>A copy, to be changed by itself.</summary>
        public AgentParams Clone() => (AgentParams)MemberwiseClone();
    }

    /// <content>Defaults.</content>
    public unsafe partial struct Avoidance
    {
        /// <summary>A method with its usual settings.</summary>
        public static Avoidance Of(AvoidanceMethod method)
        {
            Avoidance made;
            Interop.Check(Native.wayfare_avoidance_default((uint)method, &made, Interop.SizeOf<Avoidance>()));
            return made;
        }

        /// <summary>
        /// The velocity of one agent among others and walls, in the plane: <c>method</c> is <c>this</c>. The walls' free side
        /// is to their left.
        /// </summary>
        public Vec2 Velocity(Avoider agent, ReadOnlySpan<Avoider> neighbours, ReadOnlySpan<FlatWall> walls = default(ReadOnlySpan<FlatWall>))
        {
            Vec2 velocity;
            Avoidance method = this;
            fixed (Avoider* others = neighbours)
            fixed (FlatWall* edges = walls)
            {
                UIntPtr many = (UIntPtr)neighbours.Length;
                Interop.Check(Native.wayfare_avoid(&method, &agent, others, many, edges, (UIntPtr)walls.Length, &velocity));
            }
            return velocity;
        }
    }
}

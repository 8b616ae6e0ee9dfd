// Everything that the 3D view draws. Colours are those of the screen; light is laid on them directly.

struct View {
    matrix: mat4x4<f32>,
    eye: vec4<f32>,
    // Direction to the light; w: how much falls on what is turned away from it.
    light: vec4<f32>,
    // Size of the view in pixels, pixels a point, unused.
    screen: vec4<f32>,
    sky_above: vec4<f32>,
    sky_below: vec4<f32>,
};

@group(0) @binding(0) var<uniform> view: View;

fn lit(colour: vec3<f32>, normal: vec3<f32>) -> vec3<f32> {
    let sun = max(dot(normal, view.light.xyz), 0.0);
    let from_sky = 0.5 + 0.5 * normal.y;
    return colour * (view.light.w + (0.93 - view.light.w) * (0.45 * from_sky + 0.55 * sun) + 0.07);
}

// How large something at a distance of one is seen, in halves of the view's height.
fn lens() -> f32 {
    return length(vec3<f32>(view.matrix[0].y, view.matrix[1].y, view.matrix[2].y));
}

// A little nearer to the eye, on the same spot of the screen: what lies on a surface is then in front of it, and what is
// behind a wall stays hidden.
fn nearer(at: vec3<f32>, part: f32) -> vec3<f32> {
    let towards = view.eye.xyz - at * view.eye.w;
    if (view.eye.w > 0.0) {
        return at + towards * part;
    }
    return at + normalize(towards) * part / lens();
}

// Sky.

struct SkyOut {
    @builtin(position) position: vec4<f32>,
    @location(0) height: f32,
};

@vertex
fn sky_vertex(@builtin(vertex_index) i: u32) -> SkyOut {
    let x = f32(i32(i & 1u) * 4 - 1);
    let y = f32(i32(i >> 1u) * 4 - 1);
    var out: SkyOut;
    out.position = vec4<f32>(x, y, 1.0, 1.0);
    out.height = y * 0.5 + 0.5;
    return out;
}

@fragment
fn sky_fragment(in: SkyOut) -> @location(0) vec4<f32> {
    return vec4<f32>(mix(view.sky_below.rgb, view.sky_above.rgb, clamp(in.height, 0.0, 1.0)), 1.0);
}

// What stands still, copied with its depth.

@group(1) @binding(0) var ground_colour: texture_2d<f32>;
@group(1) @binding(1) var ground_depth: texture_2d<f32>;
@group(1) @binding(2) var ground_sampler: sampler;

struct GroundOut {
    @location(0) colour: vec4<f32>,
    @builtin(frag_depth) depth: f32,
};

@vertex
fn ground_vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(f32(i32(i & 1u) * 4 - 1), f32(i32(i >> 1u) * 4 - 1), 0.5, 1.0);
}

@fragment
fn ground_fragment(@builtin(position) at: vec4<f32>) -> GroundOut {
    let here = at.xy / view.screen.xy;
    var out: GroundOut;
    out.colour = textureSampleLevel(ground_colour, ground_sampler, here, 0.0);
    out.depth = textureSampleLevel(ground_depth, ground_sampler, here, 0.0).r;
    return out;
}

// Surfaces.

struct SurfaceOut {
    @builtin(position) position: vec4<f32>,
    @location(0) normal: vec3<f32>,
    @location(1) colour: vec4<f32>,
    @location(2) at: vec3<f32>,
};

fn surface(at: vec3<f32>, normal: vec3<f32>, colour: vec4<f32>) -> SurfaceOut {
    var out: SurfaceOut;
    out.position = view.matrix * vec4<f32>(at, 1.0);
    out.normal = normal;
    out.colour = colour;
    out.at = at;
    return out;
}

@vertex
fn surface_vertex(@location(0) at: vec3<f32>, @location(1) normal: vec3<f32>, @location(2) colour: vec4<f32>) -> SurfaceOut {
    // Of two faces on the same spot, as where boxes touch, the one is seen that is turned to the eye.
    let is_turned_away = dot(normal, view.eye.xyz - at * view.eye.w) < 0.0;
    return surface(nearer(at, select(0.0, -0.0004, is_turned_away)), normal, colour);
}

@fragment
fn surface_fragment(in: SurfaceOut) -> @location(0) vec4<f32> {
    var normal = normalize(in.normal);
    // What is seen from behind is lit as if it faced the eye, but darker.
    let faces = dot(normal, view.eye.xyz - in.at * view.eye.w);
    var shade = 1.0;
    if (faces < 0.0) {
        normal = -normal;
        shade = 0.86;
    }
    return vec4<f32>(lit(in.colour.rgb, normal) * shade, in.colour.a);
}

@vertex
fn glass_vertex(@location(0) at: vec3<f32>, @location(1) normal: vec3<f32>, @location(2) colour: vec4<f32>) -> SurfaceOut {
    return surface(nearer(at, 0.0006), normal, colour);
}

@fragment
fn glass_fragment(in: SurfaceOut) -> @location(0) vec4<f32> {
    let normal = normalize(in.normal);
    let bright = 0.86 + 0.14 * max(dot(normal, view.light.xyz), 0.0);
    return vec4<f32>(in.colour.rgb * bright, in.colour.a);
}

// Lines: each a rectangle on the screen with soft edges.

struct StrokeOut {
    @builtin(position) position: vec4<f32>,
    @location(0) colour: vec4<f32>,
    // Distance from the middle of the line and half its width, pixels; how much is seen through what hides it.
    @location(1) across: vec3<f32>,
};

@vertex
fn line_vertex(
    @builtin(vertex_index) i: u32,
    @location(0) start: vec3<f32>,
    @location(1) end: vec3<f32>,
    @location(2) width: vec2<f32>,
    @location(3) colour: vec4<f32>,
) -> StrokeOut {
    var a = view.matrix * vec4<f32>(nearer(start, 0.002), 1.0);
    var b = view.matrix * vec4<f32>(nearer(end, 0.002), 1.0);
    // Cut off what is behind the eye.
    let near = 0.0001;
    if (a.w < near && b.w >= near) {
        a = mix(a, b, (near - a.w) / (b.w - a.w));
    } else if (b.w < near && a.w >= near) {
        b = mix(b, a, (near - b.w) / (a.w - b.w));
    }
    let pa = a.xy / a.w * view.screen.xy * 0.5;
    let pb = b.xy / b.w * view.screen.xy * 0.5;
    var along = pb - pa;
    along = along / max(length(along), 0.0001);
    let normal = vec2<f32>(-along.y, along.x);
    // From far away edges are drawn thinner, or they would cover everything. Marks, which shine through what hides them,
    // keep their width.
    let metre = lens() / max(a.w, 0.001) * view.screen.y * 0.5 / view.screen.z;
    let thinner = select(clamp(metre / 12.0, 0.4, 1.0), 1.0, width.y > 0.0);
    let half = max(width.x * thinner * view.screen.z * 0.5, 0.5);
    let side = f32(i32(i & 1u) * 2 - 1);
    let at_end = (i >> 1u) == 1u;
    let reach = half + 1.0;
    let cap = half * select(-1.0, 1.0, at_end) * 0.5;
    let corner = select(pa, pb, at_end) + normal * side * reach + along * cap;
    var clip = select(a, b, at_end);
    clip = vec4<f32>(corner / (view.screen.xy * 0.5) * clip.w, clip.z, clip.w);
    var out: StrokeOut;
    out.position = clip;
    if (a.w < near && b.w < near) {
        out.position = vec4<f32>(2.0, 2.0, 2.0, 1.0);
    }
    out.colour = colour;
    out.across = vec3<f32>(side * reach, half, width.y);
    return out;
}

@fragment
fn line_fragment(in: StrokeOut) -> @location(0) vec4<f32> {
    let soft = clamp(in.across.y + 0.5 - abs(in.across.x), 0.0, 1.0);
    return vec4<f32>(in.colour.rgb, in.colour.a * soft);
}

@fragment
fn hidden_line_fragment(in: StrokeOut) -> @location(0) vec4<f32> {
    let soft = clamp(in.across.y + 0.5 - abs(in.across.x), 0.0, 1.0);
    return vec4<f32>(in.colour.rgb, in.colour.a * soft * in.across.z);
}

// Points: each a disc on the screen with a bright rim.

struct PointOut {
    @builtin(position) position: vec4<f32>,
    @location(0) colour: vec4<f32>,
    // From the centre, pixels; the radius; how much is seen through what hides it.
    @location(1) from_centre: vec4<f32>,
};

@vertex
fn point_vertex(
    @builtin(vertex_index) i: u32,
    @location(0) at: vec3<f32>,
    @location(1) size: vec2<f32>,
    @location(2) colour: vec4<f32>,
) -> PointOut {
    let clip = view.matrix * vec4<f32>(nearer(at, 0.004), 1.0);
    let radius = size.x * view.screen.z;
    let corner = vec2<f32>(f32(i32(i & 1u) * 2 - 1), f32(i32(i >> 1u) * 2 - 1)) * (radius + 1.0);
    var out: PointOut;
    out.position = vec4<f32>(clip.xy + corner / (view.screen.xy * 0.5) * clip.w, clip.z, clip.w);
    out.colour = colour;
    out.from_centre = vec4<f32>(corner, radius, size.y);
    return out;
}

fn disc(in: PointOut) -> vec4<f32> {
    let distance = length(in.from_centre.xy);
    let radius = in.from_centre.z;
    let soft = clamp(radius + 0.5 - distance, 0.0, 1.0);
    let rim = clamp(distance - radius * 0.72, 0.0, 1.0) * step(6.0, radius);
    return vec4<f32>(mix(in.colour.rgb, vec3<f32>(1.0), rim), in.colour.a * soft);
}

@fragment
fn point_fragment(in: PointOut) -> @location(0) vec4<f32> {
    return disc(in);
}

@fragment
fn hidden_point_fragment(in: PointOut) -> @location(0) vec4<f32> {
    let colour = disc(in);
    return vec4<f32>(colour.rgb, colour.a * in.from_centre.w);
}

// Bodies of agents: one small mesh, drawn once for each.

@vertex
fn body_vertex(
    @location(0) corner: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) at: vec3<f32>,
    @location(3) size: vec2<f32>,
    @location(4) facing: vec2<f32>,
    @location(5) colour: vec4<f32>,
) -> SurfaceOut {
    // The mesh looks along +x: turned so that it looks along `facing`.
    let turned = vec3<f32>(corner.x * facing.x - corner.z * facing.y, corner.y, corner.x * facing.y + corner.z * facing.x);
    // Far away it is drawn larger than it is, or nobody would find it.
    let depth = max((view.matrix * vec4<f32>(at, 1.0)).w, 0.001);
    let pixels = size.x * lens() / depth * view.screen.y * 0.5;
    let larger = clamp(4.5 * view.screen.z / max(pixels, 0.001), 1.0, 4.0);
    let body = size * larger;
    let world = at + vec3<f32>(turned.x * body.x, turned.y * body.y, turned.z * body.x);
    var out: SurfaceOut;
    out.position = view.matrix * vec4<f32>(world, 1.0);
    out.normal = vec3<f32>(normal.x * facing.x - normal.z * facing.y, normal.y, normal.x * facing.y + normal.z * facing.x);
    out.colour = colour;
    out.at = world;
    return out;
}

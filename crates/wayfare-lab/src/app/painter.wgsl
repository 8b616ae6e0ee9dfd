// The window's triangles: a colour times a texture, and nothing else.

struct Corner {
    @builtin(position) at: vec4<f32>,
    @location(0) texel: vec2<f32>,
    @location(1) colour: vec4<f32>,
}

@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var filtered: sampler;

@vertex
fn corner(@location(0) at: vec2<f32>, @location(1) texel: vec2<f32>, @location(2) colour: vec4<f32>) -> Corner {
    return Corner(vec4(at, 0.0, 1.0), texel, colour);
}

@fragment
fn pixel(in: Corner) -> @location(0) vec4<f32> {
    return in.colour * textureSample(picture, filtered, in.texel);
}

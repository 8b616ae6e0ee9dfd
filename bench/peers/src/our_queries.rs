//! Our side of the queries.
use crate::detour::Detour;
use crate::query::Questions;
pub fn engine<'a>(
    mesh: &'a crate::recast::DetourMesh,
    half: [f32; 3],
    _theirs: &Detour<'_>,
    q: &Questions<u32>,
) -> Result<(Detour<'a>, Questions<u32>), String> {
    Ok((
        Detour::new(mesh, half)?,
        Questions {
            near: q.near.clone(),
            errands: q.errands.clone(),
            corridors: q.corridors.clone(),
            radius: q.radius,
        },
    ))
}

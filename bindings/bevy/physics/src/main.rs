//! What the manual shows of physics crates, as it stands there: a box of each crate's is the floor, and a body walks.

use bevy::prelude::*;
use bevy_wayfare::NavTriangles;
use bevy_wayfare::prelude::*;

mod with_avian {
    use super::*;
    // ANCHOR: avian
    use avian3d::{collision::collider::trimesh_builder::TrimeshBuilder, prelude::*};

    pub fn add_physics(app: &mut App) {
        app.add_nav_source_from::<Collider>(FixedUpdate, |collider| {
            let built = TrimeshBuilder::new(collider.shape().clone()).build().ok()?;
            Some(NavTriangles { positions: built.vertices, triangles: built.indices })
        });
        app.add_nav_body::<LinearVelocity>(FixedUpdate, |velocity| &mut velocity.0);
    }

    pub fn setup(mut commands: Commands) {
        commands.spawn((NavGeometry::default(), RigidBody::Static, Collider::cuboid(20.0, 1.0, 20.0)));
        let agent = NavAgent { drive: NavDrive::Velocity, origin_height: 0.9, ..default() };
        let goal = NavTarget::Point(Vec3::new(8.0, 0.5, 0.0));
        commands.spawn((RigidBody::Dynamic, Collider::capsule(0.4, 1.0), LockedAxes::ROTATION_LOCKED, agent, goal));
    }
    // ANCHOR_END: avian
}

mod with_rapier {
    use super::*;
    // ANCHOR: rapier
    use bevy_rapier3d::prelude::*;

    pub fn add_physics(app: &mut App) {
        app.add_nav_source_from::<Collider>(FixedUpdate, |collider| {
            let (positions, triangles) = match collider.as_unscaled_typed_shape() {
                ColliderView::Cuboid(cuboid) => cuboid.raw.to_trimesh(),
                ColliderView::TriMesh(mesh) => (mesh.raw.vertices().to_vec(), mesh.raw.indices().to_vec()),
                ColliderView::HeightField(field) => field.raw.to_trimesh(),
                _ => return None,
            };
            Some(NavTriangles { positions, triangles })
        });
        app.add_nav_body::<Velocity>(FixedUpdate, |velocity| &mut velocity.linear);
    }
    // ANCHOR_END: rapier

    pub fn setup(mut commands: Commands) {
        commands.spawn((NavGeometry::default(), RigidBody::Fixed, Collider::cuboid(10.0, 0.5, 10.0)));
        let agent = NavAgent { drive: NavDrive::Velocity, origin_height: 0.9, ..default() };
        let goal = NavTarget::Point(Vec3::new(8.0, 0.5, 0.0));
        commands.spawn((RigidBody::Dynamic, Collider::capsule_y(0.5, 0.4), Velocity::zero(), agent, goal));
    }
}

/// Whether a floor of these colliders is walked on by a body with a velocity. No physics runs: what it would be given
/// is looked at.
fn check(name: &str, add_physics: fn(&mut App), setup: fn(Commands)) {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin));
    app.add_plugins(WayfarePlugin::in_schedule(FixedUpdate)).add_systems(Startup, setup);
    app.insert_resource(bevy::time::TimeUpdateStrategy::ManualDuration(std::time::Duration::from_secs_f64(1.0 / 64.0)));
    add_physics(&mut app);
    app.world_mut().spawn(NavRegion { update: NavUpdate::InStep { cells: 200_000 }, ..default() });
    (0..64).for_each(|_| app.update());
    let mut agents = app.world_mut().query::<&NavVelocity>();
    let velocity = agents.iter(app.world()).next().expect("a body").0;
    assert!(velocity.x > 1.0, "{name}: {velocity}");
    println!("{name}: {velocity}");
}

fn main() {
    check("avian3d", with_avian::add_physics, with_avian::setup);
    check("bevy_rapier3d", with_rapier::add_physics, with_rapier::setup);
}

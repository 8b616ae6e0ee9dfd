//! An agent that walks to where you click: a floor, an agent, and an observer.

use bevy::prelude::*;
use bevy_wayfare::prelude::*;

fn main() {
    App::new().add_plugins(game).run();
}

/// All of it, as a plugin.
pub fn game(app: &mut App) {
    app.add_plugins((DefaultPlugins, MeshPickingPlugin, WayfarePlugin::default(), WayfareGizmosPlugin));
    app.add_systems(Startup, |mut commands: Commands, mut meshes: ResMut<Assets<Mesh>>| {
        commands.spawn((Camera3d::default(), Transform::from_xyz(0.0, 15.0, 15.0).looking_at(Vec3::ZERO, Vec3::Y)));
        commands.spawn(NavRegion::default());
        let agent = commands.spawn((NavAgent::default(), Transform::from_xyz(-8.0, 0.0, -8.0))).id();
        let floor = (Mesh3d(meshes.add(Plane3d::default().mesh().size(20.0, 20.0))), NavGeometry::default());
        commands.spawn(floor).observe(move |click: On<PointerClick>, mut commands: Commands| {
            commands.entity(agent).insert(NavTarget::Point(click.hit.position.unwrap()));
        });
    });
}

//! Off-mesh connections: placed by two clicks, or found automatically where an agent can drop, jump or climb.

use crate::canvas::{Canvas, Ink, Pen};
use crate::workbench::controls::Controls;
use crate::workbench::stage::Stage;
use crate::workbench::task::Task;
use crate::workbench::tool::{Click, Tool};
use wayfare::Vec3;
use wayfare::area::PolyFlags;
use wayfare::bake::{AutoLink, BakeError, find_links};
use wayfare::input::{LinkKind, LinkRule, LinkSettings};
use wayfare::mesh::{OffMeshConnection, PolyRef};
use wayfare::tile::TileData;

/// The tool.
#[derive(Debug)]
pub struct ConnectionTool {
    start: Option<Vec3>,
    two_way: bool,
    radius: f32,
    finds: [bool; 4],
    rules: LinkSettings,
    search: Option<Task<Result<Vec<AutoLink>, BakeError>>>,
}

impl Default for ConnectionTool {
    fn default() -> Self {
        Self { start: None, two_way: true, radius: 0.6, finds: [true; 4], rules: LinkSettings::default(), search: None }
    }
}

fn rule(settings: &mut LinkSettings, kind: LinkKind) -> &mut Option<LinkRule> {
    match kind {
        LinkKind::Drop => &mut settings.drop,
        LinkKind::JumpDown => &mut settings.jump_down,
        LinkKind::JumpAcross => &mut settings.jump_across,
        LinkKind::Climb => &mut settings.climb,
    }
}

impl ConnectionTool {
    fn find(&mut self, stage: &mut Stage) {
        let (Some(level), Some(world)) = (&stage.level, &stage.world) else { return };
        let Some(plan) = world.plan else { return };
        let mut rules = LinkSettings::for_agent(&world.settings.agent);
        for (kind, wanted) in LinkKind::ALL.into_iter().zip(self.finds) {
            if !wanted {
                *rule(&mut rules, kind) = None;
            }
        }
        self.rules = rules;
        let input = level.input(&stage.volumes);
        let tiles: Vec<TileData> = world.mesh.tiles().map(|tile| tile.data().clone()).collect();
        self.search = Some(Task::start(move |context| {
            let tiles: Vec<&TileData> = tiles.iter().collect();
            find_links(input.level(), &plan, &tiles, &rules, context)
        }));
    }

    fn receive(&mut self, stage: &mut Stage) {
        let Some(found) = self.search.as_mut().and_then(Task::poll) else { return };
        self.search = None;
        match found {
            Ok(links) => {
                let added = stage.edit("add links", |mesh| mesh.add_connections(&links));
                match added {
                    Some(Ok(added)) => stage.log.note(format!("{} links were found and added.", added.len())),
                    Some(Err(error)) => stage.log.error(format!("The links were not added: {error}.")),
                    None => {}
                }
            }
            Err(error) => stage.log.error(format!("No links were found: {error}.")),
        }
    }

    fn nearest(stage: &Stage, at: Vec3) -> Option<PolyRef> {
        let away = |points: [Vec3; 2]| points[0].distance(at).min(points[1].distance(at));
        let nearest = stage.mesh()?.connections().min_by(|a, b| away(a.points()).total_cmp(&away(b.points())))?;
        (away(nearest.points()) < 2.0).then(|| nearest.reference())
    }
}

impl Tool for ConnectionTool {
    fn title(&self) -> &'static str {
        "Connections"
    }

    fn help(&self) -> &'static str {
        "Click where a jump begins and where it ends. Ctrl-click near an end removes it. \"Find links\" looks along all \
         edges of the mesh for places to drop, jump or climb."
    }

    fn panel(&mut self, stage: &mut Stage, controls: &mut dyn Controls) {
        controls.toggle("Both ways", &mut self.two_way);
        controls.slider("Radius", &mut self.radius, 0.1..=3.0);
        if self.start.is_some() {
            controls.note("Now click where it ends.");
        }
        let count = stage.mesh().map_or(0, |mesh| mesh.connection_count());
        controls.figure("Connections", &count.to_string());
        if count > 0 && controls.button("Remove all connections") {
            stage.edit("remove all connections", |mesh| {
                let all: Vec<PolyRef> = mesh.connections().map(|connection| connection.reference()).collect();
                all.into_iter().filter(|&connection| mesh.remove_connection(connection).is_ok()).count()
            });
        }
        controls.heading("Automatic links");
        for (kind, wanted) in LinkKind::ALL.into_iter().zip(&mut self.finds) {
            controls.toggle(kind.name(), wanted);
        }
        match &self.search {
            Some(search) => controls.note(&format!("Searching: {:.0} %", search.progress() * 100.0)),
            None if stage.world.as_ref().is_some_and(|world| world.plan.is_some()) => {
                if controls.button("Find links") {
                    self.find(stage);
                }
            }
            None => controls.note("Links are found in levels that are baked here."),
        }
    }

    fn click(&mut self, stage: &mut Stage, click: &Click) {
        if click.remove {
            if let Some(connection) = Self::nearest(stage, click.at) {
                stage.edit("remove a connection", |mesh| mesh.remove_connection(connection));
            }
            return;
        }
        let Some(start) = self.start.take() else {
            self.start = Some(click.at);
            return;
        };
        let connection = OffMeshConnection {
            start,
            end: click.at,
            radius: self.radius,
            two_way: self.two_way,
            area: LinkSettings::AREA,
            flags: LinkSettings::FLAGS | PolyFlags::WALK,
            user_id: 0,
        };
        if let Some(Err(error)) = stage.edit("add a connection", |mesh| mesh.add_connection(connection)) {
            stage.log.warn(format!("No connection was added: {error}."), Some(click.at));
        }
    }

    fn update(&mut self, stage: &mut Stage, _: f32) -> bool {
        self.receive(stage);
        self.search.is_some()
    }

    fn draw(&self, stage: &Stage, canvas: &mut Canvas) {
        if let Some(start) = self.start {
            canvas.circle(start, self.radius, Pen::of(Ink::Connection).width(3.0));
        }
        for connection in stage.mesh().into_iter().flat_map(|mesh| mesh.connections()) {
            let is_whole = connection.ends().iter().all(Option::is_some);
            let ink = if is_whole { Ink::Connection } else { Ink::Warning };
            for at in connection.points() {
                canvas.circle(at, connection.definition().radius, Pen::of(ink).width(2.0));
            }
        }
    }

    fn undo(&mut self, _: &mut Stage) -> bool {
        self.start.take().is_some()
    }

    fn reset(&mut self) {
        *self = Self { two_way: self.two_way, radius: self.radius, finds: self.finds, ..Self::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::controls::Script;
    use crate::workbench::testing::baked_stage;

    #[test]
    fn two_clicks_make_a_connection_and_undo_takes_it_away() {
        let mut stage = baked_stage("dungeon");
        let [from, to] = stage.level.as_ref().unwrap().errand.unwrap();
        let mut tool = ConnectionTool::default();
        tool.click(&mut stage, &Click::at(from));
        tool.click(&mut stage, &Click::at(to));
        assert_eq!(stage.mesh().unwrap().connection_count(), 1);
        tool.click(&mut stage, &Click::at(to).removing());
        assert_eq!(stage.mesh().unwrap().connection_count(), 0);
        assert!(stage.undo());
        assert_eq!(stage.mesh().unwrap().connection_count(), 1);
    }

    #[test]
    fn links_are_found_on_ledges() {
        let mut stage = baked_stage("ledges");
        let mut tool = ConnectionTool::default();
        tool.panel(&mut stage, &mut Script::press("Find links"));
        while tool.update(&mut stage, 0.0) {
            std::thread::yield_now();
        }
        assert!(stage.mesh().unwrap().connection_count() > 0);
    }
}

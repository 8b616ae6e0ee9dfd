//! The manual's tables, held to the library: settings and their defaults, Detour's functions and their counterparts
//! here.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use wayfare::input::{BakeSettings, Filters};

#[test]
fn the_table_of_settings_gives_the_defaults() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/baking.md");
    let text = fs::read_to_string(path).unwrap();
    let stated = |name: &str| -> f32 {
        let start = format!("| `{name}` | ");
        let row = text.lines().find_map(|l| l.strip_prefix(&start)).unwrap_or_else(|| panic!("no row for {name}"));
        row.split('|').next().unwrap().trim().trim_end_matches('°').parse().unwrap()
    };
    let BakeSettings {
        agent,
        cell_size,
        cell_height,
        filters,
        erosion,
        partition,
        region_min_size,
        region_merge_size,
        edge_max_len,
        edge_max_error,
        verts_per_poly,
        detail_sample_dist,
        detail_sample_max_error,
        tile_size,
        bounds: _,
    } = BakeSettings::default();
    for (name, value) in [
        ("cell_size", cell_size),
        ("cell_height", cell_height),
        ("agent.height", agent.height),
        ("agent.radius", agent.radius),
        ("agent.max_climb", agent.max_climb),
        ("agent.max_drop", agent.max_drop),
        ("region_min_size", region_min_size as f32),
        ("region_merge_size", region_merge_size as f32),
        ("edge_max_len", edge_max_len),
        ("edge_max_error", edge_max_error),
        ("verts_per_poly", verts_per_poly as f32),
        ("detail_sample_dist", detail_sample_dist),
        ("detail_sample_max_error", detail_sample_max_error),
        ("tile_size", tile_size as f32),
    ] {
        assert_eq!(stated(name), value, "{name}");
    }
    let word = |name: &str, value: &dyn core::fmt::Debug| {
        let row = format!("| `{name}` | {} | ", format!("{value:?}").to_lowercase());
        assert!(text.contains(&row), "no row {row}");
    };
    word("erosion", &erosion);
    word("partition", &partition);
    assert!(filters == Filters::default() && text.contains("| `filters` | all | "), "all three run");
    assert!((stated("agent.max_slope").to_radians() - agent.max_slope).abs() < 1e-6);
}

/// The public functions of Detour's classes, as their headers have them.
const DETOUR: &[(&str, &str)] = &[
    (
        "dtNavMesh",
        "init getParams addTile removeTile calcTileLoc getTileAt getTilesAt getTileRefAt getTileRef getTileByRef getMaxTiles \
         getTile getTileAndPolyByRef getTileAndPolyByRefUnsafe isValidPolyRef getPolyRefBase \
         getOffMeshConnectionPolyEndPoints getOffMeshConnectionByRef setPolyFlags getPolyFlags setPolyArea getPolyArea \
         getTileStateSize storeTileState restoreTileState encodePolyId decodePolyId decodePolyIdSalt decodePolyIdTile \
         decodePolyIdPoly dtAllocNavMesh dtFreeNavMesh dtCreateNavMeshData dtNavMeshHeaderSwapEndian \
         dtNavMeshDataSwapEndian dtGetDetailTriEdgeFlags",
    ),
    (
        "dtNavMeshQuery",
        "init findPath findStraightPath initSlicedFindPath updateSlicedFindPath finalizeSlicedFindPath \
         finalizeSlicedFindPathPartial findPolysAroundCircle findPolysAroundShape getPathFromDijkstraSearch findNearestPoly \
         queryPolygons findLocalNeighbourhood moveAlongSurface raycast findDistanceToWall getPolyWallSegments findRandomPoint \
         findRandomPointAroundCircle closestPointOnPoly closestPointOnPolyBoundary getPolyHeight isInClosedList getNodePool \
         getAttachedNavMesh dtAllocNavMeshQuery dtFreeNavMeshQuery",
    ),
    (
        "dtQueryFilter",
        "passFilter getCost getAreaCost setAreaCost getIncludeFlags setIncludeFlags getExcludeFlags setExcludeFlags",
    ),
    (
        "dtPathCorridor",
        "init reset findCorners optimizePathVisibility optimizePathTopology moveOverOffmeshConnection fixPathStart \
         trimInvalidPath isValid movePosition moveTargetPosition setCorridor getPos getTarget getFirstPoly getLastPoly getPath \
         getPathCount dtMergeCorridorStartMoved dtMergeCorridorEndMoved dtMergeCorridorStartShortcut",
    ),
    (
        "dtCrowd",
        "init setObstacleAvoidanceParams getObstacleAvoidanceParams getAgent getEditableAgent getAgentCount addAgent \
         updateAgentParameters removeAgent requestMoveTarget requestMoveVelocity resetMoveTarget getActiveAgents update \
         getFilter getEditableFilter getQueryHalfExtents getQueryExtents getVelocitySampleCount getGrid getPathQueue \
         getNavMeshQuery",
    ),
    (
        "dtProximityGrid",
        "init clear addItem queryItems getItemCountAt getBounds getCellSize dtAllocProximityGrid dtFreeProximityGrid",
    ),
    ("dtLocalBoundary", "reset update isValid getCenter getSegmentCount getSegment"),
    (
        "dtObstacleAvoidanceQuery",
        "init reset addCircle addSegment sampleVelocityGrid sampleVelocityAdaptive getObstacleCircle getObstacleCircleCount \
         getObstacleSegment getObstacleSegmentCount dtAllocObstacleAvoidanceQuery dtFreeObstacleAvoidanceQuery",
    ),
    (
        "DetourCommon.h",
        "dtClosestPtPointTriangle dtClosestHeightPointTriangle dtIntersectSegmentPoly2D dtIntersectSegSeg2D dtPointInPolygon \
         dtDistancePtPolyEdgesSqr dtDistancePtSegSqr2D dtCalcPolyCenter dtOverlapPolyPoly2D dtRandomPointInConvexPoly \
         dtTriArea2D dtOverlapBounds dtOverlapQuantBounds dtVdist2D dtVdist2DSqr",
    ),
    (
        "Recast.h",
        "rcAllocHeightfield rcFreeHeightField rcAllocCompactHeightfield rcFreeCompactHeightfield rcAllocContourSet \
         rcFreeContourSet rcAllocPolyMesh rcFreePolyMesh rcAllocPolyMeshDetail rcFreePolyMeshDetail rcCalcBounds rcCalcGridSize \
         rcCreateHeightfield rcMarkWalkableTriangles rcClearUnwalkableTriangles rcAddSpan rcRasterizeTriangle \
         rcRasterizeTriangles rcFilterLowHangingWalkableObstacles rcFilterLedgeSpans rcFilterWalkableLowHeightSpans \
         rcGetHeightFieldSpanCount rcBuildCompactHeightfield rcErodeWalkableArea rcMedianFilterWalkableArea rcMarkBoxArea \
         rcMarkConvexPolyArea rcOffsetPoly rcMarkCylinderArea rcBuildDistanceField rcBuildRegions rcBuildLayerRegions \
         rcBuildRegionsMonotone rcSetCon rcGetCon rcGetDirOffsetX rcGetDirOffsetY rcGetDirForOffset rcBuildContours \
         rcBuildPolyMesh rcMergePolyMeshes rcBuildPolyMeshDetail rcCopyPolyMesh rcMergePolyMeshDetails",
    ),
    (
        "rcConfig",
        "width height tileSize borderSize cs ch bmin bmax walkableSlopeAngle walkableHeight walkableClimb walkableRadius \
         maxEdgeLen maxSimplificationError minRegionArea mergeRegionArea maxVertsPerPoly detailSampleDist detailSampleMaxError",
    ),
];

/// The words of its statuses and options.
const DETOUR_WORDS: &str = "DT_FAILURE DT_SUCCESS DT_IN_PROGRESS DT_WRONG_MAGIC DT_WRONG_VERSION DT_OUT_OF_MEMORY \
    DT_INVALID_PARAM DT_BUFFER_TOO_SMALL DT_OUT_OF_NODES DT_PARTIAL_RESULT DT_ALREADY_OCCUPIED dtStatusSucceed \
    dtStatusFailed dtStatusInProgress dtStatusDetail DT_FINDPATH_ANY_ANGLE DT_RAYCAST_USE_COSTS DT_STRAIGHTPATH_START \
    DT_STRAIGHTPATH_AREA_CROSSINGS DT_STRAIGHTPATH_ALL_CROSSINGS DT_CROWD_ANTICIPATE_TURNS DT_CROWD_OBSTACLE_AVOIDANCE \
    DT_CROWD_SEPARATION DT_CROWD_OPTIMIZE_VIS DT_CROWD_OPTIMIZE_TOPO dtNodePool dtNodeQueue dtTileCache dtPolyRef dtTileRef \
    dtPoly dtPolyDetail dtLink dtBVNode dtOffMeshConnection dtMeshHeader dtMeshTile dtNavMeshParams dtNavMeshCreateParams \
    dtRaycastHit dtCrowdAgentParams dtObstacleAvoidanceParams rcContext";

/// Fields of its parameters that stand beside ours.
const FIELDS_OF_DETOUR: [&str; 6] =
    ["collisionQueryRange", "separationWeight", "queryFilterType", "velBias", "weightToi", "horizTime"];

/// What stands in backticks in a text.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The cells of the chapter's tables: what Detour has, what is here, and the heading above.
fn counterparts(text: &str) -> Vec<(&str, &str, &str)> {
    let (mut heading, mut rows) = ("", Vec::new());
    for line in text.lines() {
        if line.starts_with('#') {
            heading = line;
        }
        let Some(row) = line.strip_prefix("| `").or_else(|| line.strip_prefix("| the demo's `")) else { continue };
        let (theirs, ours) = row.split_once(" | ").unwrap();
        rows.push((heading, &line[line.len() - row.len() - 1..line.len() - row.len() + theirs.len()], ours));
    }
    rows
}

/// All words that follow a keyword of definition, or stand at the head of a line as variants and fields do, in the
/// library's sources.
fn defined(dir: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.insert(path.file_name().unwrap().to_string_lossy().into_owned());
            defined(&path, found);
        }
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        for line in fs::read_to_string(&path).unwrap().lines().map(str::trim_start) {
            let item = [
                "pub fn ",
                "pub const fn ",
                "fn ",
                "pub mod ",
                "pub struct ",
                "pub enum ",
                "pub trait ",
                "pub const ",
                "pub ",
            ]
            .into_iter()
            .find_map(|keyword| line.strip_prefix(keyword))
            .unwrap_or(line);
            let end = item.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(item.len());
            let is_item = item.len() < line.len() || line.starts_with(|c: char| c.is_ascii_uppercase());
            if is_item && end > 0 {
                found.insert(item[..end].to_owned());
            }
        }
    }
}

#[test]
fn every_function_of_detour_has_a_counterpart_that_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("../../docs/coming-from-detour.md")).unwrap();
    let rows = counterparts(&text);
    for (class, functions) in DETOUR {
        let of_class = || rows.iter().filter(|(heading, ..)| heading.contains(&format!("`{class}`")));
        for function in functions.split_whitespace() {
            let listed =
                of_class().any(|(_, theirs, _)| names(theirs).any(|name| name.rsplit("::").next() == Some(function)));
            assert!(listed, "{class}::{function} has no row");
        }
    }
    for word in DETOUR_WORDS.split_whitespace() {
        assert!(rows.iter().any(|(_, theirs, _)| names(theirs).any(|name| name == word)), "{word} has no row");
    }
    let mut known = BTreeSet::new();
    defined(&root.join("src"), &mut known);
    let mut judged = 0;
    for (_, theirs, ours) in &rows {
        let named: Vec<&str> = names(ours).collect();
        assert!(!named.is_empty() || ours.starts_with("nothing"), "{theirs}: no name stands in its row");
        // What stands in another's words: programs, their functions and Rust's own.
        let foreign = ["resultParent", "resultCost", "wayfare convert", "None", "s3:t17:p42"];
        let foreign = [&foreign[..], &FIELDS_OF_DETOUR].concat();
        for name in named.into_iter().filter(|name| !foreign.contains(name)) {
            for part in name.split("::") {
                assert!(known.contains(part), "{theirs}: there is no {name} in the library");
                judged += 1;
            }
        }
    }
    assert!(judged > 250, "{judged}");
}

## Calls, properties and signals of Godot's navigation that have no namesake here, each with the reason or what to use.
##
## A test compares this with the Godot that runs it: whatever is not named here has a namesake.
extends RefCounted

const NAMESAKES := {
	"NavigationServer3D": "WayfareServer",
	"NavigationAgent3D": "WayfareAgent",
	"NavigationRegion3D": "WayfareRegion",
	"NavigationObstacle3D": "WayfareObstacle",
	"NavigationLink3D": "WayfareLink",
	"NavigationMesh": "WayfareMesh",
}

const _CELLS := "a setting of the bake: WayfareMesh has it"
const _ONE_REGION := "a map has one region, so no regions are joined"
const _WORLD := "a mesh lies in the world: moving its region does not move it"
const _AREA_COST := "costs are those of area types: map_set_area_cost, WayfareArea, WayfareAgent.area_costs"
const _FLAT := "agents walk on surfaces: avoidance takes heights into account by itself"
const _HORIZON := "avoidance methods choose their own times"
const _OWN_THREADS := "a map is always brought up to date on other threads, unless cells_per_tick is set"
const _SEARCH := "searches are limited by path_nodes_per_tick of the region, and go on in the next tick"
const _CORNERS := "a path is always the corners of the shortest way through its polygons"
const _WHOLE := "a path is given whole; a script cuts it where it likes"
const _DEBUG := "debug_enabled of a region draws its mesh, obstacles, areas and links; paths are drawn by scripts"
const _FORMAT := "a mesh is made by a bake, from_navigation_mesh or load_way"

const MISSING := {
	"NavigationServer3D": {
		"map_set_up": "up is +Y on all maps, as in Godot by default",
		"map_set_cell_size": _CELLS,
		"map_set_cell_height": _CELLS,
		"map_set_merge_rasterizer_cell_scale": _ONE_REGION,
		"map_get_merge_rasterizer_cell_scale": _ONE_REGION,
		"map_set_use_edge_connections": _ONE_REGION,
		"map_get_use_edge_connections": _ONE_REGION,
		"map_set_edge_connection_margin": _ONE_REGION,
		"map_get_edge_connection_margin": _ONE_REGION,
		"map_set_link_connection_radius": "each link has a radius of its own: link_set_radius",
		"map_get_link_connection_radius": "each link has a radius of its own: WayfareLink.radius",
		"map_set_use_async_iterations": _OWN_THREADS,
		"map_get_use_async_iterations": _OWN_THREADS,
		"region_set_use_async_iterations": _OWN_THREADS,
		"region_get_use_async_iterations": _OWN_THREADS,
		"region_set_use_edge_connections": _ONE_REGION,
		"region_get_use_edge_connections": _ONE_REGION,
		"region_get_connections_count": _ONE_REGION,
		"region_get_connection_pathway_start": _ONE_REGION,
		"region_get_connection_pathway_end": _ONE_REGION,
		"region_set_enter_cost": _AREA_COST,
		"region_get_enter_cost": _AREA_COST,
		"region_set_travel_cost": _AREA_COST,
		"region_get_travel_cost": _AREA_COST,
		"region_set_transform": _WORLD,
		"region_get_transform": _WORLD,
		"region_bake_navigation_mesh": "Godot has given it up itself: bake_from_source_geometry_data, or bake_navigation_mesh of the node",
		"link_get_iteration_id": "map_get_iteration_id says when a map has followed its links",
		"link_set_enter_cost": "link_set_travel_cost is what there is: a metre of the link's area type",
		"link_get_enter_cost": "link_get_travel_cost is what there is: a metre of the link's area type",
		"agent_set_use_3d_avoidance": _FLAT,
		"agent_get_use_3d_avoidance": _FLAT,
		"agent_set_time_horizon_agents": _HORIZON,
		"agent_get_time_horizon_agents": _HORIZON,
		"agent_set_time_horizon_obstacles": _HORIZON,
		"agent_get_time_horizon_obstacles": _HORIZON,
		"obstacle_set_use_3d_avoidance": _FLAT,
		"obstacle_get_use_3d_avoidance": _FLAT,
		"obstacle_set_velocity": "agents look where an obstacle is, in each tick",
		"obstacle_get_velocity": "agents look where an obstacle is, in each tick",
		"obstacle_set_avoidance_layers": "all agents of a map walk around an obstacle that it sees: layers of the obstacle, parts_mask of the region",
		"obstacle_get_avoidance_layers": "all agents of a map walk around an obstacle that it sees: layers of the obstacle, parts_mask of the region",
		"source_geometry_parser_create": "parsers of NavigationServer3D are asked here as well",
		"source_geometry_parser_set_callback": "parsers of NavigationServer3D are asked here as well",
		"set_debug_enabled": _DEBUG,
		"get_debug_enabled": _DEBUG,
	},
	"NavigationAgent3D": {
		"set_path_height_offset": "origin_height says how far the parent is above the surface",
		"get_path_height_offset": "origin_height says how far the parent is above the surface",
		"set_use_3d_avoidance": _FLAT,
		"get_use_3d_avoidance": _FLAT,
		"set_keep_y_velocity": "velocity_computed follows the surface; a script keeps the y that it wants",
		"get_keep_y_velocity": "velocity_computed follows the surface; a script keeps the y that it wants",
		"set_time_horizon_agents": _HORIZON,
		"get_time_horizon_agents": _HORIZON,
		"set_time_horizon_obstacles": _HORIZON,
		"get_time_horizon_obstacles": _HORIZON,
		"set_path_max_distance": "an agent that is pushed keeps its path and mends it, however far from it; a new one is searched when that fails",
		"get_path_max_distance": "an agent that is pushed keeps its path and mends it, however far from it; a new one is searched when that fails",
		"set_pathfinding_algorithm": "A*, as in Godot",
		"get_pathfinding_algorithm": "A*, as in Godot",
		"set_path_postprocessing": _CORNERS,
		"get_path_postprocessing": _CORNERS,
		"set_path_metadata_flags": "get_current_navigation_result holds the corners alone; WayfareServer.query_path gives more",
		"get_path_metadata_flags": "get_current_navigation_result holds the corners alone; WayfareServer.query_path gives more",
		"set_simplify_path": _CORNERS,
		"get_simplify_path": _CORNERS,
		"set_simplify_epsilon": _CORNERS,
		"get_simplify_epsilon": _CORNERS,
		"set_path_return_max_length": _WHOLE,
		"get_path_return_max_length": _WHOLE,
		"set_path_return_max_radius": _WHOLE,
		"get_path_return_max_radius": _WHOLE,
		"set_path_search_max_polygons": _SEARCH,
		"get_path_search_max_polygons": _SEARCH,
		"set_path_search_max_distance": _SEARCH,
		"get_path_search_max_distance": _SEARCH,
		"_avoidance_done": "no call for scripts",
		"set_debug_enabled": _DEBUG,
		"get_debug_enabled": _DEBUG,
		"set_debug_use_custom": _DEBUG,
		"get_debug_use_custom": _DEBUG,
		"set_debug_path_custom_color": _DEBUG,
		"get_debug_path_custom_color": _DEBUG,
		"set_debug_path_custom_point_size": _DEBUG,
		"get_debug_path_custom_point_size": _DEBUG,
	},
	"NavigationRegion3D": {
		"set_use_edge_connections": _ONE_REGION,
		"get_use_edge_connections": _ONE_REGION,
		"set_enter_cost": _AREA_COST,
		"get_enter_cost": _AREA_COST,
		"set_travel_cost": _AREA_COST,
		"get_travel_cost": _AREA_COST,
	},
	"NavigationObstacle3D": {
		"set_velocity": "agents look where an obstacle is, in each tick",
		"get_velocity": "agents look where an obstacle is, in each tick",
		"set_avoidance_layers": "layers, for the parts_mask of regions",
		"get_avoidance_layers": "layers, for the parts_mask of regions",
		"set_avoidance_layer_value": "layers, for the parts_mask of regions",
		"get_avoidance_layer_value": "layers, for the parts_mask of regions",
		"set_use_3d_avoidance": _FLAT,
		"get_use_3d_avoidance": _FLAT,
		"set_carve_navigation_mesh": "affect_navigation_mesh keeps the agent's radius from it; to cut exactly, use a WayfareArea of type 0",
		"get_carve_navigation_mesh": "affect_navigation_mesh keeps the agent's radius from it; to cut exactly, use a WayfareArea of type 0",
	},
	"NavigationLink3D": {
		"set_enter_cost": "travel_cost is what there is: a metre of its area type",
		"get_enter_cost": "travel_cost is what there is: a metre of its area type",
	},
	"NavigationMesh": {
		"set_border_size": "tiles have borders of their own, of the size that they need",
		"get_border_size": "tiles have borders of their own, of the size that they need",
		"set_vertices": _FORMAT,
		"add_polygon": _FORMAT,
		"clear_polygons": _FORMAT,
		"create_from_mesh": _FORMAT,
		"_set_polygons": "no call for scripts",
		"_get_polygons": "no call for scripts",
	},
}

const MISSING_SIGNALS := {
	"NavigationServer3D": {
		"navigation_debug_changed": _DEBUG,
		"avoidance_debug_changed": _DEBUG,
	},
}

-- The way from a gate to a place, as points on the plan of its floor, which is 1 wide and 1 high.
alter table place add plan_route jsonb constraint place_plan_route_check check (plan_route is null or coalesce(
  jsonb_path_match(plan_route, 'strict $.type() == "array" && $.size() >= 2 && $.size() <= 100', '{}', true)
  and jsonb_array_length(plan_route) = jsonb_array_length(jsonb_path_query_array(plan_route,
    'strict $[*] ? (@.size() == 2 && @[0] >= 0 && @[0] <= 1 && @[1] >= 0 && @[1] <= 1)', '{}', true)), false));
comment on column place.plan_route is '平面图路线';

-- Three points of a plan whose position on the map is known; x and y are from 0 to 1.
alter table floor_plan add control_points jsonb constraint floor_plan_control_points_check check (
  control_points is null or coalesce(
    jsonb_path_match(control_points, 'strict $.type() == "array" && $.size() == 3', '{}', true)
    and jsonb_array_length(jsonb_path_query_array(control_points,
      'strict $[*] ? (@.x >= 0 && @.x <= 1 && @.y >= 0 && @.y <= 1 && @.lng >= -180 && @.lng <= 180
        && @.lat >= -90 && @.lat <= 90)', '{}', true)) = 3, false));
comment on column floor_plan.control_points is '控制点';

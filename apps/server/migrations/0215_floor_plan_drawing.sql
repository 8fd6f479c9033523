-- Outlines, routes and pins belong to an edition of a plan. Places and installations hold those of the published one; the
-- others keep theirs here: {"places": [{"id", "polygon", "planRoute"}], "pins": [{"id", "x", "y"}]}.
alter table floor_plan add drawing jsonb constraint floor_plan_drawing_check check (drawing is null or coalesce(
  published_at is null
  and jsonb_path_match(drawing, 'strict $.places.type() == "array" && $.places.size() <= 500', '{}', true)
  and jsonb_path_match(drawing, 'strict $.pins.type() == "array" && $.pins.size() <= 500', '{}', true), false));
comment on column floor_plan.drawing is '标绘';

-- Where no edition is published, the outlines were drawn on an edition that is still to be published.
update floor_plan edition
set drawing = jsonb_build_object(
  'places', coalesce((
    with recursive down as (
      select id from place where parent_id = edition.place_id
      union select below.id from place below join down on below.parent_id = down.id
    )
    select jsonb_agg(jsonb_build_object('id', id, 'polygon', polygon, 'planRoute', plan_route) order by id)
    from place
    where id in (select id from down) and (polygon is not null or plan_route is not null)), '[]'),
  'pins', coalesce((
    with recursive down as (
      select edition.place_id as id
      union select below.id from place below join down on below.parent_id = down.id
    )
    select jsonb_agg(jsonb_build_object('id', id, 'x', plan_x, 'y', plan_y) order by id)
    from school_device
    where place_id in (select id from down) and valid_to is null and plan_x is not null and plan_y is not null), '[]'))
where published_at is null
  and not exists (select from floor_plan shown where shown.place_id = edition.place_id and shown.published_at is not null);

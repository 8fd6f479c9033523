-- The fields of domain 2.1 and 2.2 that had no column. Lists that are read with their row alone are jsonb; a CHECK holds
-- each of their elements by counting those that are as they should be.

alter table school
  -- GeoJSON Polygon of one closed ring, CGCS2000.
  add column geofence jsonb constraint school_geofence_check check (geofence is null or coalesce(
    geofence - array['type', 'coordinates'] = '{}'
    and jsonb_path_match(geofence, 'strict $.type == "Polygon" && $.coordinates.size() == 1
      && $.coordinates[0].size() >= 4 && $.coordinates[0].size() <= 300', '{}', true)
    and jsonb_array_length(geofence->'coordinates'->0) = jsonb_array_length(jsonb_path_query_array(geofence,
      'strict $.coordinates[0][*] ? (@.size() == 2 && @[0] >= -180 && @[0] <= 180 && @[1] >= -90 && @[1] <= 90)',
      '{}', true))
    and geofence->'coordinates'->0->0 = geofence->'coordinates'->0->-1, false)),
  -- In the order in which they are called.
  add column emergency_contacts jsonb not null default '[]'
    constraint school_emergency_contacts_check check (coalesce(
      jsonb_path_match(emergency_contacts, 'strict $.type() == "array" && $.size() <= 10', '{}', true)
      and jsonb_array_length(emergency_contacts) = jsonb_array_length(jsonb_path_query_array(emergency_contacts,
        'strict $[*] ? ((@.role == "PRINCIPAL" || @.role == "SAFETY_OFFICER" || @.role == "LEGAL_VICE_HEAD"
          || @.role == "GUARD_ROOM" || @.role == "OTHER") && @.name like_regex "^.{1,30}$"
          && @.phone like_regex "^[+]?[0-9][0-9 -]{1,17}[0-9]$")', '{}', true)), false));

alter table place
  -- Corners on the plan of its floor, which is 1 wide and 1 high.
  add column polygon jsonb constraint place_polygon_check check (polygon is null or coalesce(
    jsonb_path_match(polygon, 'strict $.type() == "array" && $.size() >= 3 && $.size() <= 100', '{}', true)
    and jsonb_array_length(polygon) = jsonb_array_length(jsonb_path_query_array(polygon,
      'strict $[*] ? (@.size() == 2 && @[0] >= 0 && @[0] <= 1 && @[1] >= 0 && @[1] <= 1)', '{}', true)), false)),
  add column camera_ids bigint[] not null default '{}' check (cardinality(camera_ids) <= 20);

-- Voltages rise, and what they stand for does not fall.
create function is_battery_curve(curve jsonb) returns boolean language sql immutable as $$
  select count(*) between 2 and 50 and coalesce(bool_and(
    at - array['mv', 'pct'] = '{}' and (at->>'mv')::numeric between 1 and 100000 and (at->>'pct')::numeric between 0 and 100
    and (before is null or ((at->>'mv')::numeric > (before->>'mv')::numeric
      and (at->>'pct')::numeric >= (before->>'pct')::numeric))), false)
  from (select at, lag(at) over (order by no) as before
    from jsonb_array_elements(curve) with ordinality as point (at, no)) line
$$;

alter table device_model
  add column protocol varchar(20) not null default 'TOCSIN' check (protocol in ('TOCSIN', 'THINGSBOARD', 'GB28181',
    'HIKVISION', 'DAHUA', 'SIA_DC09', 'CONTACT_ID', 'SPARKPLUG_B', 'JETLINKS', 'ONENET', 'ALIYUN_IOT')),
  add column battery_curve jsonb constraint device_model_battery_curve_check
    check (battery_curve is null or is_battery_curve(battery_curve)),
  add column capabilities jsonb not null default
    '{"twoWayAudio": false, "siren": false, "led": false, "keywordPack": false, "ota": false, "silent": false}'
    constraint device_model_capabilities_check check (coalesce(
      capabilities - array['twoWayAudio', 'siren', 'led', 'keywordPack', 'ota', 'silent'] = '{}'
      and jsonb_path_match(capabilities, 'strict $.twoWayAudio.type() == "boolean" && $.siren.type() == "boolean"
        && $.led.type() == "boolean" && $.keywordPack.type() == "boolean" && $.ota.type() == "boolean"
        && $.silent.type() == "boolean"', '{}', true), false)),
  -- By command type a JSON schema of its payload.
  add column command_schema jsonb not null default '{}' constraint device_model_command_schema_check check (
    jsonb_typeof(command_schema) = 'object' and length(command_schema::text) <= 16384
    and command_schema - array['PLAY_TTS', 'TALK_START', 'TALK_STOP', 'SIREN', 'LED', 'RESET', 'REBOOT', 'SELF_TEST',
      'SET_CONFIG', 'TIME_SYNC', 'LISTEN'] = '{}');

alter table device
  add column gateway_id bigint constraint device_gateway_fkey references device (id),
  add column keyword_pack_version varchar(32),
  add constraint device_gateway_other check (gateway_id <> id);
create index device_gateway on device (gateway_id) where gateway_id is not null;

alter table school_device
  add column camera_ids bigint[] not null default '{}' check (cardinality(camera_ids) <= 20);

-- SHA-256 of a client certificate, for devices that will be known by one beside their secret.
alter table device_credential add column cert_fingerprint bytea check (length(cert_fingerprint) = 32);

-- The reading that the drain is measured from, and the lowest since: a battery that rises well above that was charged or
-- changed, and is measured anew.
alter table device_state
  add column battery_from_pct integer,
  add column battery_from_at timestamptz,
  add column battery_low_pct integer;

create function dept_root(dept_id bigint) returns bigint language sql stable as $$
  with recursive up as (
    select id, parent_id from dept where id = dept_root.dept_id
    union select above.id, above.parent_id from dept above join up on above.id = up.parent_id
  ) select id from up where parent_id is null
$$;

-- A gateway spoke for its whole school before. Where there is but one, or but one at work, that is what it goes on doing,
-- whoever owns it.
update device child set gateway_id = gateway.id
from device gateway
join device_model gateway_model on gateway_model.id = gateway.model_id and gateway_model.kind = 'GATEWAY'
where child.school_id = gateway.school_id and child.id <> gateway.id and gateway.lifecycle <> 'RETIRED'
  and exists (select from device_model m where m.id = child.model_id and m.kind not in ('GATEWAY', 'CAMERA'))
  and not exists (select from device other join device_model m on m.id = other.model_id and m.kind = 'GATEWAY'
    where other.school_id = gateway.school_id and other.id <> gateway.id and other.lifecycle <> 'RETIRED'
      and (other.lifecycle in ('IN_SERVICE', 'COMMISSIONING')
        or gateway.lifecycle not in ('IN_SERVICE', 'COMMISSIONING')));

create function check_gateway() returns trigger language plpgsql as $$
begin
  if not exists (
    select from device gateway join device_model model on model.id = gateway.model_id
    where gateway.id = new.gateway_id and model.kind = 'GATEWAY'
      and (gateway.school_id = new.school_id or dept_root(gateway.dept_id) = dept_root(new.dept_id))
  ) then
    raise exception 'device % is no gateway of the same school or department tree', new.gateway_id
      using errcode = 'foreign_key_violation', constraint = 'device_gateway_fkey';
  end if;
  return new;
end $$;
create trigger device_gateway_kind before insert or update of gateway_id on device
  for each row when (new.gateway_id is not null) execute function check_gateway();

create function check_cameras() returns trigger language plpgsql as $$
begin
  if exists (
    select from unnest(new.camera_ids) as named (id) where not exists (
      select from device camera join device_model model on model.id = camera.model_id
      where camera.id = named.id and model.kind = 'CAMERA' and camera.school_id = new.school_id)
  ) then
    raise exception 'one of these is no camera of the school'
      using errcode = 'foreign_key_violation', constraint = tg_table_name || '_cameras';
  end if;
  return new;
end $$;
create trigger place_cameras before insert or update of camera_ids on place
  for each row when (new.camera_ids <> '{}') execute function check_cameras();
create trigger school_device_cameras before insert or update of camera_ids on school_device
  for each row when (new.camera_ids <> '{}') execute function check_cameras();

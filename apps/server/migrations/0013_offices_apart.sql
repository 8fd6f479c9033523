-- Separation of roles (decision 008): with the setting on, administration, security and audit are three offices that
-- nobody unites and none of which is empty. Held here, at the commit, since rights move by many calls.
create function roles_separated() returns boolean language sql stable as $$
  select exists (select from config where key = 'security.separate-roles' and value = 'true')
$$;

-- The office that a permission belongs to, in either spelling (wire 11.4); null for the rest.
create function office_of(permission text) returns text language sql immutable as $$
  select case
    when permission ~ '^(system|sys):(operate-log|login-log):' then 'AUDIT'
    when permission ~ '^(system|sys):permission:' then 'SECURITY'
    when permission ~ '^(system|sys):role:(create|update|delete|add|edit)$' then 'SECURITY'
    when permission ~ '^(system|sys):user:security$' then 'SECURITY'
  end
$$;

-- Disabled roles count, since they may be enabled.
create function office_holders() returns table (user_id bigint, role_id bigint, office text) language sql stable as $$
  select ur.user_id, r.id as role_id, 'ADMIN' as office
  from user_role ur join role r on r.id = ur.role_id where r.code = 'super_admin' and r.built_in
  union
  select ur.user_id, ur.role_id, office_of(m.permission)
  from menu m join role_menu rm on rm.menu_id = m.id join user_role ur on ur.role_id = rm.role_id
  where office_of(m.permission) is not null
$$;

create function check_offices() returns trigger language plpgsql as $$
declare
  one bigint := case when tg_table_name = 'user_role' and tg_op = 'INSERT' then (to_jsonb(new) ->> 'user_id')::bigint end;
  uniting text;
begin
  if not roles_separated() then
    return null;
  end if;
  -- Two changes at the same time must see each other. "apart" in ASCII.
  perform pg_advisory_xact_lock(418497262196);
  select u.username into uniting from office_holders() o join users u on u.id = o.user_id
  where one is null or u.id = one
  group by u.id, u.username having count(distinct o.office) > 1 order by u.id limit 1;
  if uniting is not null then
    raise exception using errcode = '23514', constraint = 'offices_apart', detail = uniting,
      message = 'somebody holds two of administration, security and audit';
  end if;
  if one is null and (
    select count(distinct o.office) from office_holders() o join role r on r.id = o.role_id join users u on u.id = o.user_id
    where r.enabled and u.enabled and u.password_hash is not null
  ) < 3 then
    raise exception using errcode = '23514', constraint = 'offices_held',
      message = 'one of administration, security and audit has no enabled holder';
  end if;
  return null;
end $$;

create constraint trigger user_role_offices after insert or update or delete on user_role
  deferrable initially deferred for each row execute function check_offices();
create constraint trigger role_menu_offices after insert or delete on role_menu
  deferrable initially deferred for each row execute function check_offices();
create constraint trigger menu_offices after update of permission on menu
  deferrable initially deferred for each row when (old.permission is distinct from new.permission)
  execute function check_offices();
create constraint trigger role_offices after update of enabled on role
  deferrable initially deferred for each row when (old.enabled is distinct from new.enabled)
  execute function check_offices();
create constraint trigger users_offices after update of enabled, password_hash on users
  deferrable initially deferred for each row when (
    old.enabled is distinct from new.enabled or (old.password_hash is null) <> (new.password_hash is null)
  ) execute function check_offices();
create constraint trigger config_offices after insert or update of value on config
  deferrable initially deferred for each row when (new.key = 'security.separate-roles' and new.value = 'true')
  execute function check_offices();

-- Readiness of 100,000 devices: what a school lacks is computed once for the school and not for each of its devices.
create function lacking_schools() returns table (school_id bigint, lack text) language sql stable rows 3000 as $$
  with recursive live_menu as (
    select id, permission from menu where parent_id is null and enabled
    union select m.id, m.permission from menu m join live_menu p on m.parent_id = p.id where m.enabled
  ), claiming as (
    select id, data_scope <> 'SELF' as wide from role where enabled and (
      code = 'super_admin' and built_in
      or id in (select rm.role_id from role_menu rm join live_menu m on m.id = rm.menu_id
        where m.permission = 'warn:record:claim'))
  ), staffed as (
    select u.dept_id from users u join user_role ur on ur.user_id = u.id join claiming on claiming.id = ur.role_id
    where u.enabled and (claiming.wide or exists (
      select from user_role held join role on role.id = held.role_id
      where held.user_id = u.id and role.enabled and role.data_scope <> 'SELF'))
  )
  select id, 'POLICE_STATION' from school where police_dept_id is null
  union all
  select id, 'RECIPIENT' from school where dept_id not in (select dept_id from staffed)
$$;

create or replace function school_lacks() returns table (device_id bigint, lack text) language sql stable rows 20000 as $$
  select site.device_id, short.lack
  from lacking_schools() short join school_device site on site.school_id = short.school_id and site.valid_to is null
$$;

-- What was hidden today, and the signals of the last 90 days for a rule.
create index signal_received on signal (received_at, id);

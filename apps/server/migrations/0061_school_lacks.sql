-- What the school of each installed device is short of: an alarm from there would reach no police station, or nobody at the
-- school (domain 2.14-12, decision 036). A function, since the answer is the same for every reader, whatever he sees
-- himself of schools and people. A recipient belongs to the school itself, may take up alarms, and sees more than his own.
create function school_lacks() returns table (device_id bigint, lack text) language sql stable as $$
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
  ), short as (
    select id as school_id, 'POLICE_STATION' as lack from school where police_dept_id is null
    union all
    select id, 'RECIPIENT' from school where dept_id not in (select dept_id from staffed)
  )
  select site.device_id, short.lack
  from short join school_device site on site.school_id = short.school_id and site.valid_to is null
$$;

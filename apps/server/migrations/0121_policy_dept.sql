-- An escalation policy may be of a school or a region: the nearest one above the place of the alarm applies.

alter table notify_policy add column dept_id bigint constraint notify_policy_dept_fkey references dept (id);
drop index notify_policy_target_key;
create unique index notify_policy_target_key on notify_policy (coalesce(dept_id, 0), coalesce(class, ''), level)
  where enabled;
create index notify_policy_dept on notify_policy (dept_id);

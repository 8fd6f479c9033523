-- 1. Steps of procedures name whom they call. So far every CALL dialled the duty phone of the school, also where the text says
-- 120. What a text says becomes the callee, in drafts and in published versions alike, so that no draft counts as changed;
-- the text itself and everything else that was published stays. A step that calls parents names nobody: the console knows
-- no number of theirs.
create function with_callees(steps jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_agg(step.value || jsonb_build_object('callee', case
    when step.value ->> 'action' <> 'CALL' then null
    when step.value ->> 'text' ~ '(^|[^0-9])120([^0-9]|$)' then 'AMBULANCE'
    when step.value ->> 'text' ~ '(^|[^0-9])119([^0-9]|$)' then 'FIRE_BRIGADE'
    when step.value ->> 'text' ~ '(^|[^0-9])110([^0-9]|$)' then 'POLICE'
    when step.value ->> 'text' ~ '学校负责人|校长' then 'PRINCIPAL'
    when step.value ->> 'text' ~ '家长' then null
    else 'DUTY_PHONE' end) order by step.no), '[]')
  from jsonb_array_elements(steps) with ordinality as step (value, no)
$$;
update procedure set steps = with_callees(steps);
update procedure_version set steps = with_callees(steps);
drop function with_callees(jsonb);

-- 2. Rollouts of different devices of one model can be open at once, such as those of two districts. The server refuses a
-- second open rollout of a device under the lock of its model.
drop index rollout_open_key;
create index rollout_open on rollout (model_id, kind) where state in ('DRAFT', 'APPROVED', 'RING', 'PAUSED');

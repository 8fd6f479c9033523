-- Units of the police are sent to incidents as people are to alarms; the columns come with their entities (decision 019).

alter table assignment add column situation_id bigint references police_situation (id);
alter table assignment add column unit_id bigint constraint assignment_unit_fkey references police_unit (id);
alter table assignment drop constraint assignment_subject_check;
alter table assignment add constraint assignment_subject_check check (num_nonnulls(record_id, situation_id) = 1);
alter table assignment drop constraint assignment_responder_check;
alter table assignment add constraint assignment_responder_check check (num_nonnulls(responder_user_id, unit_id) >= 1);
create unique index assignment_unit_active_key on assignment (situation_id, unit_id)
  where state in ('ASSIGNED', 'RECEIVED', 'EN_ROUTE', 'ON_SCENE', 'TIMED_OUT');
create index assignment_situation on assignment (situation_id);
create index assignment_unit on assignment (unit_id);

-- Response plans for some hours of the day. Both null: all day; an end that is not after the start is on the next day.

alter table procedure add column from_min integer check (from_min between 0 and 1439);
alter table procedure add column to_min integer check (to_min between 0 and 1439);
alter table procedure add constraint procedure_hours check (from_min is null and to_min is null
  or from_min is not null and to_min is not null and from_min <> to_min);
alter table procedure_version add column from_min integer check (from_min between 0 and 1439);
alter table procedure_version add column to_min integer check (to_min between 0 and 1439);

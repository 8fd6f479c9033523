-- What the person found who started the shift: equipment as [{name, required, present}]; null when nobody looked.
alter table shift add column equipment_check jsonb;
create index shift_equipment_check on shift (post_id, from_at desc) where equipment_check is not null;

-- Everybody who wrote the text under review, so that none of them reviews it. The last one alone is text_by.
alter table announcement add column writer_ids bigint[] not null default '{}';
alter table announcement add constraint announcement_other_reviewer
  check (reviewer_id is null or reviewer_id <> all (writer_ids));

-- Who answers for a school. Somebody who is named here cannot be deleted.
alter table school
  add column principal_id bigint constraint school_principal_id_fkey references employee (id),
  add column safety_officer_id bigint constraint school_safety_officer_id_fkey references employee (id),
  add column legal_vice_head_id bigint constraint school_legal_vice_head_id_fkey references employee (id);
create index school_principal on school (principal_id) where principal_id is not null;
create index school_safety_officer on school (safety_officer_id) where safety_officer_id is not null;
create index school_legal_vice_head on school (legal_vice_head_id) where legal_vice_head_id is not null;

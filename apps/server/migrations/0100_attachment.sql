-- Files of an owner: a log entry, an order, a text. Whoever sees the owner sees its attachments (DESIGN 9).
create table attachment (
  id bigint generated always as identity primary key,
  owner_type varchar(40) not null,
  owner_id bigint not null,
  file_id bigint not null constraint attachment_file_fkey references file (id),
  kind varchar(10) not null check (kind in ('PHOTO', 'VOICE', 'FILE')),
  note varchar(200),
  taken_at timestamptz,
  created_by bigint constraint attachment_created_by_fkey references users (id) on delete set null,
  created_at timestamptz not null default now(),
  constraint attachment_owner_key unique (owner_type, owner_id, file_id)
);
comment on table attachment is '附件';
create index attachment_file on attachment (file_id);

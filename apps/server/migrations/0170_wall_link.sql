-- Links to the wall: a display without a signed-in user, limited to one department and what is below it.
create table wall_link (
  id bigint generated always as identity primary key,
  name varchar(64) not null,
  dept_id bigint not null constraint wall_link_dept_id_fkey references dept (id),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint
);
comment on table wall_link is '大屏链接';
create index wall_link_dept on wall_link (dept_id);

-- Apart from the link, so that no list, audit row or report contains the hash.
create table wall_token (
  link_id bigint primary key references wall_link (id) on delete cascade,
  hash bytea not null constraint wall_token_key unique,
  last_used_at timestamptz
);

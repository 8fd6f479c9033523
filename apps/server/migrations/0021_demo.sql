-- What the demo pages keep (setting `site.demo`): an ordinary entity, a text of one's own, and talk over the websocket.

create table demo_item (
  id bigint generated always as identity primary key,
  dept_id bigint not null constraint demo_item_dept_fkey references dept (id),
  name varchar(50) not null,
  kind varchar(100) not null,
  tags text[] not null default '{}',
  image_id bigint,
  url varchar(200),
  -- Hundredths of a yuan.
  price integer not null default 0 check (price >= 0 and price <= 999999999),
  progress integer not null default 0 check (progress >= 0 and progress <= 100),
  icon varchar(100),
  sort integer not null default 0 check (sort >= 0 and sort <= 100000),
  enabled boolean not null default true,
  start_at timestamptz,
  remark varchar(500),
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint
);
create index demo_item_dept on demo_item (dept_id, sort, id);

create table demo_text (
  user_id bigint primary key references users (id) on delete cascade,
  content text not null check (length(content) <= 65535),
  version integer not null default 1,
  create_time timestamptz not null default now(),
  update_time timestamptz not null default now()
);

-- Who is on the test page, on whichever node; nobody after half a minute of silence.
create table demo_seat (
  user_id bigint primary key references users (id) on delete cascade,
  seen_at timestamptz not null default now()
);

create table demo_message (
  id bigint generated always as identity primary key,
  from_user_id bigint not null references users (id) on delete cascade,
  from_name varchar(30) not null,
  -- Null: to everybody on the page.
  to_user_id bigint references users (id) on delete cascade,
  to_name varchar(30),
  text varchar(500) not null,
  at timestamptz not null default now()
);
create index demo_message_from on demo_message (from_user_id, id);
create index demo_message_to on demo_message (to_user_id, id);

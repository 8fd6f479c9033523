-- How each person likes the console; the names are SPEC 3's.
create table user_preference (
  user_id bigint primary key constraint user_preference_user_fkey references users (id) on delete cascade,
  kept jsonb not null,
  update_time timestamptz not null default now()
);

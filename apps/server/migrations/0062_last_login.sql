-- A sign-in writes beside the user, not into his row: so neither waits for the other.
create table last_login (
  user_id bigint primary key references users (id) on delete cascade,
  at timestamptz not null,
  ip varchar(45) not null
);
insert into last_login (user_id, at, ip) select id, login_at, coalesce(login_ip, '') from users where login_at is not null;
alter table users drop column login_at, drop column login_ip;

-- A change of what a plain unique index holds locks the row against everything that refers to it, claims included; a
-- partial index is no key.
drop index users_mobile_key;
create unique index users_mobile_key on users (mobile) where mobile is not null;

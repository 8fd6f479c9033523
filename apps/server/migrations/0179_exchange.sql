-- Messages between this system and the dispatch system of the police (domain 2.9): each is applied or sent once.
create table exchange_message (
  id bigint generated always as identity primary key,
  direction varchar(3) not null check (direction in ('IN', 'OUT')),
  format varchar(4) not null check (format in ('CAP', 'JSON')),
  sender varchar(100) not null,
  identifier varchar(100) not null,
  type varchar(20) not null check (type in ('ALARM', 'UPDATE', 'CANCEL_REQUEST', 'QUERY', 'ACCEPTED', 'REJECTED',
    'DISPATCHED', 'ARRIVED', 'CLOSED')),
  sent_at timestamptz not null,
  -- SHA-256 of the body: the same identifier with another content is an error.
  digest varchar(64) not null,
  -- Null only until the transaction of an incoming message has found or created its incident.
  situation_id bigint references police_situation (id),
  -- What is sent; null for messages that came in or that a person exported.
  body text,
  state varchar(10) not null check (state in ('RECEIVED', 'EXPORTED', 'QUEUED', 'SENDING', 'SENT', 'FAILED')),
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  lease_until timestamptz,
  answer varchar(300),
  created_at timestamptz not null default now(),
  constraint exchange_message_key unique (direction, sender, identifier)
);
comment on table exchange_message is '警务交换消息';
create index exchange_message_situation on exchange_message (situation_id, id);
create index exchange_message_due on exchange_message (due_at) where state in ('QUEUED', 'SENDING');

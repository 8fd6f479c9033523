-- Who agreed in a session lets nobody in once that session has ended.
alter table qr_ticket add column session_id bigint references session (id) on delete cascade;
create index qr_ticket_session on qr_ticket (session_id);

-- A refresh token that comes again is answered only to the browser and network that used it first.
alter table refresh_token add used_network varchar(60), add used_agent varchar(300);
-- The oldest session ends when a user has too many.
alter table session drop constraint session_end_reason_check;
alter table session add constraint session_end_reason_check check (end_reason in
  ('LOGOUT', 'KICKED', 'PASSWORD', 'DISABLED', 'REUSED', 'EXPIRED', 'LIMIT'));

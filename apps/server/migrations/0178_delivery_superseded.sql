-- Messages of a notification chain that starts again are cancelled for a reason of their own.
alter table delivery drop constraint delivery_reason_check;
alter table delivery add constraint delivery_reason_check check (reason in ('NO_RECIPIENT', 'NO_ADDRESS',
  'NOT_CONFIGURED', 'CLAIMED', 'RECEIVED', 'ENDED', 'REVOKED', 'RECIPIENT_DISABLED', 'SUPERSEDED'));

-- Who signed in from an address, or was signed out by another: few among many, in a window of three months.
create index login_log_ip on login_log using gin (bigrams(ip));
create index login_log_kicked on login_log (at, id) include (dept_id, user_id, result) where type = 'KICK';

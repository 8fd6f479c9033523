/** The password of `admin` in a seeded database, and of the users of the fixtures. */
export const SEED_PASSWORD = 'Maple-river-42'

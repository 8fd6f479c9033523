import { type Code, codes } from '../codes.ts'

export const announcementStates = ['DRAFT', 'PENDING_REVIEW', 'SCHEDULED', 'PUBLISHED', 'EXPIRED', 'WITHDRAWN'] as const
export type AnnouncementState = (typeof announcementStates)[number]

/** The next edition of a published announcement; readers still see the last one. */
export const revisionStates = ['DRAFT', 'PENDING_REVIEW'] as const
export type RevisionState = (typeof revisionStates)[number]

/** Required input of a verb. */
type Asked = 'reason' | 'publishAt' | 'text'

type Transition = {
  from: readonly AnnouncementState[]
  /** `same`: the verb changes no state. */
  to: AnnouncementState | 'same'
  /** Replaces `to` when a later publication time was chosen. */
  later?: AnnouncementState
  permission: string
  /** `other`: neither the author nor a person who wrote or submitted the text. */
  by: 'any' | 'other'
  asks: readonly Asked[]
  /** Sub-machine of the revision; null: no revision. Absent: the revision does not change. */
  revision?: { from: readonly (RevisionState | null)[]; to: RevisionState | null }
}

/** FSM I (domain 2.12) as data: the server rejects by it, screens show buttons by it, tests walk it. */
export const announcementMachine = {
  submit: {
    from: ['DRAFT'],
    to: 'PENDING_REVIEW',
    permission: 'announcement:announcement:update',
    by: 'any',
    asks: [],
  },
  approve: {
    from: ['PENDING_REVIEW'],
    to: 'PUBLISHED',
    later: 'SCHEDULED',
    permission: 'announcement:announcement:review',
    by: 'other',
    asks: [],
  },
  return: {
    from: ['PENDING_REVIEW'],
    to: 'DRAFT',
    permission: 'announcement:announcement:review',
    by: 'other',
    asks: ['reason'],
  },
  publish: {
    from: ['SCHEDULED'],
    to: 'PUBLISHED',
    permission: 'announcement:announcement:publish',
    by: 'any',
    asks: [],
  },
  schedule: {
    from: ['SCHEDULED'],
    to: 'same',
    permission: 'announcement:announcement:publish',
    by: 'any',
    asks: ['publishAt'],
  },
  approveRevision: {
    from: ['PUBLISHED'],
    to: 'same',
    permission: 'announcement:announcement:review',
    by: 'other',
    asks: [],
    revision: { from: ['PENDING_REVIEW'], to: null },
  },
  returnRevision: {
    from: ['PUBLISHED'],
    to: 'same',
    permission: 'announcement:announcement:review',
    by: 'other',
    asks: ['reason'],
    revision: { from: ['PENDING_REVIEW'], to: 'DRAFT' },
  },
  submitRevision: {
    from: ['PUBLISHED'],
    to: 'same',
    permission: 'announcement:announcement:update',
    by: 'any',
    asks: [],
    revision: { from: ['DRAFT'], to: 'PENDING_REVIEW' },
  },
  revise: {
    from: ['PUBLISHED'],
    to: 'same',
    permission: 'announcement:announcement:update',
    by: 'any',
    asks: ['text'],
    revision: { from: [null, 'DRAFT'], to: 'DRAFT' },
  },
  dropRevision: {
    from: ['PUBLISHED'],
    to: 'same',
    permission: 'announcement:announcement:update',
    by: 'any',
    asks: [],
    revision: { from: ['DRAFT'], to: null },
  },
  withdraw: {
    from: ['SCHEDULED', 'PUBLISHED'],
    to: 'WITHDRAWN',
    permission: 'announcement:announcement:withdraw',
    by: 'any',
    asks: ['reason'],
    revision: { from: [null, 'DRAFT', 'PENDING_REVIEW'], to: null },
  },
} as const satisfies Record<string, Transition>

/** Transitions of timers; no user requests them. */
export const announcementTimers = {
  publishOnTime: { from: 'SCHEDULED', to: 'PUBLISHED' },
  expire: { from: 'PUBLISHED', to: 'EXPIRED' },
} as const satisfies Record<string, { from: AnnouncementState; to: AnnouncementState }>

export type AnnouncementVerb = keyof typeof announcementMachine
export const announcementVerbs = Object.keys(announcementMachine) as AnnouncementVerb[]
export const announcementRule = (verb: AnnouncementVerb): Transition => announcementMachine[verb]

export type AnnouncementSubject = {
  state: AnnouncementState
  revisionState: RevisionState | null
  authorId: number
  /** The last author of the text under review, and the user who submitted it. */
  textBy: number
  /** Everybody who wrote the text under review. */
  writerIds: readonly number[]
  submittedBy: number | null
}

/** Why this user cannot apply the verb now, permissions aside; undefined when allowed. */
export const whyNotAnnouncement = (
  verb: AnnouncementVerb,
  { state, revisionState, authorId, textBy, writerIds, submittedBy }: AnnouncementSubject,
  userId: number,
): Code | undefined => {
  const { from, by, revision } = announcementRule(verb)
  if (!from.includes(state)) return codes.announcementState
  if (revision && !revision.from.includes(revisionState)) return codes.announcementRevision
  const isOwnText = [authorId, textBy, submittedBy, ...writerIds].includes(userId)
  return by === 'other' && isOwnText ? codes.announcementReviewer : undefined
}

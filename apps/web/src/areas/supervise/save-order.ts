/** A stored draft in the version that this form has seen. */
type Saved = { id: number; version: number }

type Calls<Body> = {
  create: (body: Body) => Promise<number>
  update: (body: Body & Saved) => Promise<unknown>
  issue: (saved: Saved) => Promise<unknown>
}

/**
 * Saves a form as one draft, however often: when its issue is refused, the next attempt changes the draft that the
 * first one created. @param saved the draft that the form edits, if any
 */
export const createOrderSaver = <Body extends object>(saved?: Saved) => {
  let draft = saved
  return async (body: Body, calls: Calls<Body>, andIssue: boolean): Promise<number> => {
    // A new row has version 1, and each change adds one.
    if (!draft) draft = { id: await calls.create(body), version: 1 }
    else {
      await calls.update({ ...body, ...draft })
      draft = { ...draft, version: draft.version + 1 }
    }
    if (andIssue) await calls.issue(draft)
    return draft.id
  }
}

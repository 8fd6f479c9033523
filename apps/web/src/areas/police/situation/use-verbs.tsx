import { errorMessage } from '@tocsin/contract/codes/code'
import type { SituationRow } from '@tocsin/contract/police/situation'
import { type SituationVerb, whyNotSituation } from '@tocsin/contract/police/situation-machine'
import { situationCalls } from '@tocsin/contract/police/situations'
import { type ReactNode, useState } from 'react'
import { useApiMutation } from '#api/query.ts'
import { useSession } from '#api/session.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { notify } from '#ui/notify.ts'
import type { VerbButton } from '#ui/workflow/VerbButtons.tsx'
import { type AskingVerb, VerbDialog } from './VerbDialog.tsx'

/** Next steps first, rare ones last; a unit is recalled at its own row. */
const order = [
  'claim',
  'dispatch',
  'close',
  'feedback',
  'addUnit',
  'note',
  'reopen',
  'transfer',
  'merge',
  'unmerge',
  'reject',
  'cancel',
] as const satisfies SituationVerb[]
export type ShownVerb = (typeof order)[number]

type Verbs = { buttons: VerbButton[]; run: (verb: ShownVerb) => void; dialog: ReactNode }

/** The verbs of an incident that table and permission allow now, and the dialog of the chosen verb. */
export const useVerbs = (situation: SituationRow): Verbs => {
  const lang = useLang()
  const permissions = useSession((session) => session.permissions)
  const claim = useApiMutation(situationCalls.claim)
  const [asking, setAsking] = useState<AskingVerb>()
  const { id, version } = situation
  const allowed = order.filter((verb) => !whyNotSituation(verb, situation, (name) => permissions.has(name)))
  const run = (verb: ShownVerb) => {
    const code = whyNotSituation(verb, situation, (name) => permissions.has(name))
    if (code) {
      // By a key: buttons show only allowed verbs.
      notify.warning(errorMessage(code, { state: situation.state }, lang))
      return
    }
    if (verb === 'claim') claim.mutate({ body: { id, version } })
    else setAsking(verb)
  }
  return {
    buttons: allowed.map((verb) => ({
      key: verb,
      label: enumLabel('situationVerb', verb, lang),
      run: () => run(verb),
      danger: verb === 'cancel' || verb === 'reject',
      loading: verb === 'claim' && claim.isPending,
    })),
    run,
    dialog: asking && <VerbDialog verb={asking} situation={situation} onClose={() => setAsking(undefined)} />,
  }
}

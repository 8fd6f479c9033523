import { notifyPolicies, NotifyPolicy, NotifyPolicyDraft, type PolicyChoices } from '@tocsin/contract/notify/policy'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { readAs } from '#ui/edit-conflict/remote-row.ts'
import { toDraft } from '#ui/form.ts'
import { EditDrawer } from '#ui/form/EditDrawer.tsx'
import { notify } from '#ui/notify.ts'
import { PolicyFields } from './PolicyFields.tsx'

const newPolicy: Partial<NotifyPolicyDraft> = {
  enabled: true,
  deptId: null,
  class: null,
  level: 1,
  steps: [{ afterSec: 0, targets: [], channels: ['INAPP', 'SMS'] }],
  loops: 1,
  fallback: { targets: [], channels: ['INAPP', 'VOICE'] },
}

type Props = {
  policy: NotifyPolicy | undefined
  choices: PolicyChoices | undefined
  readOnly: boolean
  onClose: () => void
}

/** Creates an escalation policy, or changes the given one. */
export const PolicyDrawer = ({ policy, choices, readOnly, onClose }: Props) => {
  const { t } = useTranslation()
  const create = useApiMutation(notifyPolicies.create, { fieldsInline: true })
  const update = useApiMutation(notifyPolicies.update, { fieldsInline: true })
  const save = async (values: Record<string, unknown>, newer?: number) => {
    const draft = toDraft(NotifyPolicyDraft, values)
    if (policy) await update.mutateAsync({ body: { ...draft, id: policy.id, version: newer ?? policy.version } })
    else await create.mutateAsync({ body: draft })
    notify.success(t(policy ? 'list.saved' : 'list.created'))
  }
  return (
    <EditDrawer
      title={policy ? t('policy.edit', { name: policy.name }) : t('policy.new')}
      initialValues={policy ?? newPolicy}
      save={save}
      reading={readAs(NotifyPolicy)}
      onClose={onClose}
      readOnly={readOnly}
      size="min(720px, 100vw)"
    >
      <PolicyFields choices={choices} />
    </EditDrawer>
  )
}

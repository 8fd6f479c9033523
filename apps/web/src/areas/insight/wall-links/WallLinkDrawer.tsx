import { WallLinkDraft, wallLinks } from '@tocsin/contract/insight/wall'
import { Alert, Button, Flex, Input, InputNumber, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { useSession } from '#api/session.ts'
import { DeptSelect } from '#areas/access/DeptSelect.tsx'
import { AppModal } from '#ui/AppModal.tsx'
import { CopyButton } from '#ui/copy/CopyButton.tsx'
import { Field } from '#ui/Field.tsx'
import { toDraft } from '#ui/form.ts'
import { EditDrawer } from '#ui/form/EditDrawer.tsx'

const DEFAULT_DAYS = 30

/** In the fragment, which no browser sends to a server. */
const wallAddress = (token: string): string => `${location.origin}/wall#${token}`

const CreatedLink = ({ token, onClose }: { token: string; onClose: () => void }) => {
  const { t } = useTranslation()
  const address = wallAddress(token)
  return (
    <AppModal
      title={t('wall.created')}
      mask={{ closable: false }}
      footer={
        <Button type="primary" onClick={onClose}>
          {t('wall.done')}
        </Button>
      }
      onCancel={onClose}
    >
      <Flex vertical gap="middle">
        <Alert type="warning" showIcon title={t('wall.once')} />
        <Typography.Text code style={{ overflowWrap: 'anywhere' }}>
          {address}
        </Typography.Text>
        <Flex gap="small">
          <CopyButton text={address} label={t('wall.copy')} />
          <Button href={address} target="_blank" rel="noopener">
            {t('wall.open')}
          </Button>
        </Flex>
      </Flex>
    </AppModal>
  )
}

/** Creates a link to the wall; it is shown once. */
export const WallLinkDrawer = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const ownDept = useSession(({ user }) => user?.deptId)
  const [token, setToken] = useState<string>()
  const create = useApiMutation(wallLinks.create, { fieldsInline: true })
  const save = async (values: Record<string, unknown>) => {
    const made = await create.mutateAsync({ body: toDraft(WallLinkDraft, values) })
    setToken(made.token)
  }
  if (token !== undefined) return <CreatedLink token={token} onClose={onClose} />
  return (
    <EditDrawer
      title={t('wall.create')}
      initialValues={{ deptId: ownDept, days: DEFAULT_DAYS }}
      save={save}
      stays
      onClose={onClose}
    >
      <Field of={WallLinkDraft} name="name">
        <Input maxLength={64} />
      </Field>
      <Field of={WallLinkDraft} name="deptId" extra={t('wall.sightHelp')}>
        <DeptSelect />
      </Field>
      <Field of={WallLinkDraft} name="days" extra={t('wall.daysHelp')}>
        <InputNumber min={1} max={366} precision={0} />
      </Field>
    </EditDrawer>
  )
}

import { secondFactors } from '@tocsin/contract/access/sign-in/second-factor'
import { Alert, Button, Flex, Form, Input, QRCode, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { CopyButton } from '#ui/copy/CopyButton.tsx'
import { showFieldErrors } from '#ui/form/field-errors.ts'
import { OwnPassword } from './OwnPassword.tsx'

type Secret = { secret: string; uri: string }

const AskPassword = ({ username, onSecret }: { username: string; onSecret: (secret: Secret) => void }) => {
  const { t } = useTranslation()
  const enrol = useApiMutation(secondFactors.enrol, { fieldsInline: true })
  return (
    <OwnPassword
      username={username}
      help={t('profile.enrolFirst')}
      action={t('profile.next')}
      busy={enrol.isPending}
      send={async (password) => onSecret(await enrol.mutateAsync({ body: { password } }))}
    />
  )
}

type ConfirmProps = { secret: Secret; onCodes: (codes: string[]) => void }

const Confirm = ({ secret: { secret, uri }, onCodes }: ConfirmProps) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm<{ code: string }>()
  const confirm = useApiMutation(secondFactors.confirm, { fieldsInline: true })
  const submit = ({ code }: { code: string }) =>
    confirm.mutate(
      { body: { code: code.trim() } },
      {
        onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes),
        onError: (error) => showFieldErrors(form, error, lang),
      },
    )
  return (
    <Form form={form} layout="vertical" onFinish={submit}>
      <Typography.Paragraph>{t('profile.enrolScan')}</Typography.Paragraph>
      <Flex vertical align="center" gap="small" style={{ marginBlockEnd: 16 }}>
        {/* Dark squares on white in both themes, as scanners need it. */}
        <QRCode value={uri} size={200} type="svg" color="#000000" bgColor="#ffffff" />
        <Typography.Text type="secondary">{t('profile.enrolType')}</Typography.Text>
        <div style={{ overflowWrap: 'anywhere', textAlign: 'center' }}>
          <Typography.Text code>{secret.match(/.{1,4}/g)?.join(' ')}</Typography.Text>
          <CopyButton text={secret} />
        </div>
      </Flex>
      <Form.Item
        name="code"
        label={t('profile.enrolCode')}
        rules={[{ required: true, pattern: /^\s*\d{6}\s*$/, message: t('profile.enrolCodeMissing') }]}
      >
        <Input autoFocus inputMode="numeric" autoComplete="one-time-code" maxLength={8} />
      </Form.Item>
      <Button block type="primary" htmlType="submit" loading={confirm.isPending}>
        {t('profile.factorEnable')}
      </Button>
    </Form>
  )
}

const RecoveryCodes = ({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) => {
  const { t } = useTranslation()
  return (
    <Flex vertical gap="middle">
      <Alert type="warning" showIcon title={t('profile.recoveryOnce')} />
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Flex justify="space-between">
        <CopyButton text={codes.join('\n')} label={t('profile.recoveryCopy')} />
        <Button type="primary" onClick={onClose}>
          {t('user.noted')}
        </Button>
      </Flex>
    </Flex>
  )
}

/** Enables the second factor: own password, app, first code, and recovery codes to store. */
export const SecondFactorSetup = ({ username, onClose }: { username: string; onClose: () => void }) => {
  const { t } = useTranslation()
  const [secret, setSecret] = useState<Secret>()
  const [codes, setCodes] = useState<string[]>()
  return (
    <AppModal
      title={t('profile.factorEnable')}
      footer={null}
      width={440}
      onCancel={onClose}
      // Closing by mistake would lose the codes.
      mask={{ closable: false }}
      {...(codes && { keyboard: false, closable: false })}
    >
      {!secret && <AskPassword username={username} onSecret={setSecret} />}
      {secret && !codes && <Confirm secret={secret} onCodes={setCodes} />}
      {codes && <RecoveryCodes codes={codes} onClose={onClose} />}
    </AppModal>
  )
}

import type { DeviceRow } from '@tocsin/contract/device/device'
import { installationCalls } from '@tocsin/contract/device/school-device-verbs'
import type { StoredFileInfo } from '@tocsin/contract/files/file'
import { Alert, Button, Form, Input, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { Field } from '#ui/Field.tsx'
import { showFieldErrors } from '#ui/form/field-errors.ts'
import { SchoolSelect } from '#ui/SchoolSelect.tsx'
import { ImageUpload } from '#ui/upload/ImageUpload.tsx'
import { PlaceSelect } from '../PlaceSelect.tsx'
import { useMount } from './use-mount.ts'

const LAST_SCHOOL = 'lastInstallSchool'
const MAX_PHOTOS = 9

type Values = { schoolId?: number; placeId?: number; mountNote?: string; photos?: StoredFileInfo[] }

/** Steps 2 and 3: the place and a picture of the mounting; one call sends both. */
export const MountStep = ({ device }: { device: DeviceRow }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm<Values>()
  const chosen: number | undefined = Form.useWatch('schoolId', form)
  const { first, isWaiting, isSending, send, keep } = useMount(device, (error) => showFieldErrors(form, error, lang))
  const schoolId = device.schoolId ?? chosen
  const submit = async ({ photos = [], ...draft }: Values) => {
    if (schoolId !== undefined) sessionStorage.setItem(LAST_SCHOOL, String(schoolId))
    await send({ ...draft, photoIds: photos.map(({ id }) => id) })
  }
  const last = Number(sessionStorage.getItem(LAST_SCHOOL)) || undefined
  return (
    <Form
      form={form}
      layout="vertical"
      initialValues={{ ...(last && { schoolId: last }), ...first }}
      disabled={isWaiting}
      onValuesChange={(_, { photos: _photos, ...draft }: Values) => keep(draft)}
      onFinish={(values: Values) => void submit(values)}
    >
      {device.schoolId === null ? (
        <Form.Item
          name="schoolId"
          label={t('device.school')}
          rules={[{ required: true, message: t('device.chooseSchool') }]}
        >
          <SchoolSelect size="large" placeholder={t('list.choose')} />
        </Form.Item>
      ) : (
        <p>{device.schoolName}</p>
      )}
      <Field of={installationCalls.mount.body} name="placeId">
        <PlaceSelect size="large" schoolId={schoolId} />
      </Field>
      <Field of={installationCalls.mount.body} name="mountNote">
        <Input size="large" maxLength={200} />
      </Field>
      <Form.Item name="photos" label={t('device.photos')}>
        <ImageUpload count={MAX_PHOTOS} />
      </Form.Item>
      <Button type="primary" htmlType="submit" className="install-button" block loading={isSending || isWaiting}>
        {t('device.mounted')}
      </Button>
      {isWaiting ? (
        <Alert type="warning" showIcon role="status" title={t('device.mountWaits')} style={{ marginBlockStart: 12 }} />
      ) : (
        <Typography.Paragraph type="secondary" style={{ marginBlockStart: 12 }}>
          {t('device.mountDraft')}
        </Typography.Paragraph>
      )}
    </Form>
  )
}

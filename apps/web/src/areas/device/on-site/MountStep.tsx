import type { DeviceRow } from '@tocsin/contract/device/device'
import { devices } from '@tocsin/contract/device/device'
import { installationCalls } from '@tocsin/contract/device/school-device-verbs'
import type { StoredFileInfo } from '@tocsin/contract/files/file'
import { Button, Form, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { Field } from '#ui/Field.tsx'
import { showFieldErrors } from '#ui/form/field-errors.ts'
import { SchoolSelect } from '#ui/SchoolSelect.tsx'
import { ImageUpload } from '#ui/upload/ImageUpload.tsx'
import { PlaceSelect } from '../PlaceSelect.tsx'

const LAST_SCHOOL = 'lastInstallSchool'
const MAX_PHOTOS = 9

type Values = { schoolId?: number; placeId: number; mountNote?: string; photos?: StoredFileInfo[] }

/** Steps 2 and 3: where it hangs, and a picture of it there; both go in one call. */
export const MountStep = ({ device }: { device: DeviceRow }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm<Values>()
  const chosen: number | undefined = Form.useWatch('schoolId', form)
  const { mutateAsync, isPending } = useApiMutation(installationCalls.mount, {
    also: [devices.page],
    fieldsInline: true,
  })
  const schoolId = device.schoolId ?? chosen
  const submit = async ({ placeId, mountNote, photos = [] }: Values) => {
    const photoIds = photos.map(({ id }) => id)
    const body = { deviceId: device.id, placeId, mountNote: mountNote || null, photoIds }
    await mutateAsync({ body }).then(
      () => sessionStorage.setItem(LAST_SCHOOL, String(schoolId)),
      (error: unknown) => showFieldErrors(form, error, lang),
    )
  }
  const last = Number(sessionStorage.getItem(LAST_SCHOOL)) || undefined
  return (
    <Form
      form={form}
      layout="vertical"
      initialValues={last ? { schoolId: last } : {}}
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
      <Button type="primary" htmlType="submit" className="install-button" block loading={isPending}>
        {t('device.mounted')}
      </Button>
    </Form>
  )
}
